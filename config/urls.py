from django.contrib import admin
from django.urls import include, path

from work.watching import views as watching

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("annotation.urls")),
    path("", include("researcher.urls")),
    path("", include("api.urls")),
    path("healthz", watching.healthz, name="healthz"),
    path("readyz", watching.readyz, name="readyz"),
    path("metrics", watching.metrics, name="metrics"),
]

# It says where the database does not answer.
handler500 = "annotation.views.away.failed"
