from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("login/", auth_views.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    # Whoever has logged out in another tab has nothing to log in for.
    path("logout/", login_not_required(auth_views.LogoutView.as_view()), name="logout"),
    path("", include("annotation.urls")),
    path("", include("researcher.urls")),
]
