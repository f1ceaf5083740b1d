"""Accounts are made and changed here; what they hold otherwise has pages of its own."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from accounts.models import User

admin.site.register(User, UserAdmin)
