from django.urls import URLPattern, path

from comparison.views import collecting, comparison, excluding, exports, imported, revising, runs, studies, synthetic

urlpatterns: list[URLPattern] = [
    path("", studies.studies, name="studies"),
    path("studies/", studies.studies, name="studies"),
    path("studies/<slug:slug>/", studies.study, name="study"),
    path("studies/<slug:slug>/open/", collecting.open_study, name="study_open"),
    path("studies/<slug:slug>/close/", collecting.close_study, name="study_close"),
    path("studies/<slug:slug>/links/", collecting.add_link, name="link_add"),
    path("studies/<slug:slug>/links/<int:pk>/expire/", collecting.expire_link, name="link_expire"),
    path("studies/<slug:slug>/payment/", collecting.pay, name="payment"),
    path("studies/<slug:slug>/annotators/<int:pk>/exclude/", excluding.exclude, name="annotator_exclude"),
    path("studies/<slug:slug>/annotators/<int:pk>/reinstate/", excluding.reinstate, name="annotator_reinstate"),
    path("studies/<slug:slug>/synthetic/add/", synthetic.synthetic_add, name="synthetic_add"),
    path("studies/<slug:slug>/synthetic/remove/", synthetic.synthetic_remove, name="synthetic_remove"),
    path("studies/<slug:slug>/runs/", runs.runs, name="runs"),
    path("studies/<slug:slug>/runs/start/", runs.run_start, name="run_start"),
    path("studies/<slug:slug>/runs/<int:pk>/stop/", runs.run_stop, name="run_stop"),
    path("studies/<slug:slug>/runs/import/", imported.scores_import, name="scores_import"),
    path("studies/<slug:slug>/runs/<int:pk>/remove/", imported.run_remove, name="run_remove"),
    path("studies/<slug:slug>/comparison/", comparison.comparison, name="comparison"),
    path("studies/<slug:slug>/revise/", revising.revisions, name="revisions"),
    path("studies/<slug:slug>/revise/<path:external_id>/", revising.revision, name="revision"),
    # path: an item's id is the researcher's own, and almost any text.
    path("studies/<slug:slug>/items/<path:external_id>/", comparison.item, name="comparison_item"),
    path("studies/<slug:slug>/export/<slug:what>.csv", exports.export, name="export"),
]
