"""oneDNN's products are torch.nn.Linear's, whatever the shape, and a packed model is the same model."""

import os
import sys

import pytest
import torch
import transformers

from scoring.scorers.networks.bodies import KNOWN
from scoring.scorers.networks.products import PackedLinear, pack
from tests import forked
from tests.scoring.scorers.weights import CAUSAL, MASKED, needs_weights, scorer, spec_of

pytestmark = pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="torch has no oneDNN here")
SIZES = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48, "vocab_size": 90}
OTHERS = {"distilbert": {"dim": 24, "n_layers": 2, "n_heads": 4, "hidden_dim": 48, "vocab_size": 90}}


@pytest.mark.parametrize("rows", [1, 2, 7, 33, 500])
@pytest.mark.parametrize("has_bias", [True, False])
def test_a_packed_layer_is_the_layer(rows, has_bias):
    torch.manual_seed(rows)
    layer = torch.nn.Linear(48, 96, bias=has_bias)
    packed = PackedLinear(layer.weight.detach(), layer.bias.detach() if has_bias else None)
    states = torch.randn(rows, 48)
    with torch.inference_mode():
        torch.testing.assert_close(packed(states), layer(states), atol=1e-5, rtol=1e-5)


def test_rows_may_have_more_dimensions_and_any_layout():
    layer = torch.nn.Linear(48, 96)
    packed = PackedLinear(layer.weight.detach(), layer.bias.detach())
    states = torch.randn(5, 3, 48).transpose(0, 1)
    with torch.inference_mode():
        torch.testing.assert_close(packed(states), layer(states), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", sorted(KNOWN))
def test_every_kind_of_model_that_is_packed_says_the_same(kind):
    torch.manual_seed(3)
    config = transformers.AutoConfig.for_model(kind, **OTHERS.get(kind, SIZES))
    model = transformers.AutoModelForMaskedLM.from_config(config).eval()
    ids = torch.randint(5, 80, (3, 11))
    with torch.inference_mode():
        before = model(input_ids=ids).logits
        assert pack(model)
        assert not any(type(layer) is torch.nn.Linear for layer in model.modules())
        torch.testing.assert_close(model(input_ids=ids).logits, before, atol=1e-5, rtol=1e-4)


@pytest.mark.slow
@needs_weights
@pytest.mark.parametrize(("key", "metric", "is_masked"), [(MASKED, "pll", True), (CAUSAL, "causal", False)])
def test_masked_models_in_float32_on_the_cpu_are_packed_and_provenance_says_so(key, metric, is_masked):
    opened = scorer(key, metric)
    expected = is_masked and opened.loaded.device.type == "cpu"
    assert any(isinstance(layer, PackedLinear) for layer in opened.loaded.model.modules()) == expected
    assert opened.provenance().get("arithmetic", "") == ("linear layers by oneDNN" if expected else "")
    assert spec_of(key).dtype == "float32"


GROWTH = """
import torch
from scoring.scorers.networks.products import pack
from scoring.scorers.networks.onednn import remember_few

remember_few()
model = torch.nn.Sequential(torch.nn.Linear(384, 1536))
pack(model)

def resident():
    return int(open("/proc/self/status").read().split("VmRSS:")[1].split()[0]) // 1024

with torch.inference_mode():
    model(torch.zeros(1000, 384))
    before = resident()
    for rows in range(700, 900):
        model(torch.zeros(rows, 384))
print(resident() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the size of a process from /proc")
def test_products_of_many_sizes_are_not_all_remembered():
    """Else a worker grows with every size of batch: by 940 MB here, where it is 130 MB."""
    environment = {name: value for name, value in os.environ.items() if "CACHE_CAPACITY" not in name}
    ran = forked.run("-c", GROWTH, env=environment)
    assert int(ran.stdout) < 400, ran.stderr
