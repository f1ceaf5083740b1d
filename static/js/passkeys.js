// What is said when a passkey came to nothing: django-allauth's scripts tell of it by an event and write no words.
(function () {
  "use strict";

  document.addEventListener("allauth.error", function (event) {
    const place = document.getElementById("passkey-fault");
    event.preventDefault();
    const unable = typeof window.PublicKeyCredential === "undefined";
    place.textContent = unable
      ? "Passkeys do not work on this page: they need HTTPS or localhost."
      : "No passkey was used. Try again or log in another way.";
    place.hidden = false;
  });
})();
