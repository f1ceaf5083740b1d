from django.urls import path

from annotation.views import item, welcome

urlpatterns = [
    path("s/<str:token>/", welcome.welcome, name="welcome"),
    path("sitting/<str:token>/", item.item, name="item"),
    path("sitting/<str:token>/back/", item.back, name="back"),
]
