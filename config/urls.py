from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("annotation.urls")),
    path("", include("researcher.urls")),
    path("", include("api.urls")),
    path("", include("work.watching.urls")),
]

# It says where the database does not answer.
handler500 = "annotation.views.away.failed"
