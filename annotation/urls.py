from django.urls import path

from annotation.views import item, welcome

urlpatterns = [
    path("s/<slug:token>/", welcome.welcome, name="welcome"),
    path("sitting/<slug:token>/", item.item, name="item"),
    path("sitting/<slug:token>/back/", item.back, name="back"),
    path("sitting/<slug:token>/report/", item.report_problem, name="report_problem"),
]
