// What is said when a passkey came to nothing: django-allauth's scripts tell of it by an event and write no words.
(function () {
  "use strict";

  document.addEventListener("allauth.error", function (event) {
    const place = document.getElementById("passkey-fault");
    event.preventDefault();
    const unable = typeof window.PublicKeyCredential === "undefined";
    place.textContent = unable
      ? "This browser can use no passkeys on this page. They need HTTPS, or localhost."
      : "No passkey was used. Try again, or take another way.";
    place.hidden = false;
  });
})();
