"""How many tokens go into a pass. No GPU is here: its memory is a number, and what does not fit raises."""

import pytest
import torch

from scoring.scorers.batches import by_length
from scoring.scorers.contract import ModelError
from scoring.scorers.networks.room import FIRST_ON_GPU, MOST_ON_GPU, Room, best_device

GPU, CPU = torch.device("cuda"), torch.device("cpu")
LENGTH = 8


@pytest.fixture
def gpu(monkeypatch):
    """A GPU that holds `most` tokens in a pass; what it has held at a time is `passes`."""

    class Gpu:
        most = 100_000
        passes: list[int] = []

        def forward(self, batch):
            tokens = len(batch) * LENGTH
            if tokens > self.most:
                raise torch.OutOfMemoryError("CUDA out of memory.")
            self.passes.append(tokens)
            return torch.tensor(batch)

    found = Gpu()
    found.passes = []
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (found.most // 2, 10 * found.most))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda device: found.most - found.most // 2)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: max(found.passes))
    return found


def through(room, gpu, count):
    batches = by_length([(number, [0] * LENGTH) for number in range(count)], budget=lambda: room.tokens)
    return [value for batch, values in room.passes(batches, gpu.forward) for value in values.tolist()]


@pytest.mark.slow
def test_a_gpus_passes_grow_while_twice_as_much_fits(gpu):
    gpu.most = 10 * MOST_ON_GPU
    room = Room(GPU, on_cpu=512)
    assert through(room, gpu, 100_000) == list(range(100_000))
    assert (gpu.passes[0], max(gpu.passes), room.tokens) == (FIRST_ON_GPU, MOST_ON_GPU, MOST_ON_GPU)


def test_they_stop_growing_where_twice_as_much_may_not_fit(gpu):
    gpu.most = 3 * FIRST_ON_GPU
    room = Room(GPU, on_cpu=512)
    assert through(room, gpu, 20_000) == list(range(20_000))
    assert max(gpu.passes) <= gpu.most
    assert room.tokens == 2 * FIRST_ON_GPU


def test_a_pass_that_does_not_fit_is_halved_and_none_so_large_is_tried_again(gpu):
    gpu.most = 5000
    room = Room(GPU, on_cpu=512)
    assert through(room, gpu, 10_000) == list(range(10_000))
    assert max(gpu.passes) == 4096
    assert room.tokens == room.most == 4096


def test_one_text_that_does_not_fit_is_said_of_that_text(gpu):
    gpu.most = LENGTH - 1
    with pytest.raises(RuntimeError, match="memory does not hold a text of this length") as caught:
        through(Room(GPU, on_cpu=512), gpu, 3)
    assert not isinstance(caught.value, ModelError), "which would end the run"


def test_a_processor_has_passes_of_one_size():
    room = Room(CPU, on_cpu=512)
    batches = by_length([(number, [0] * LENGTH) for number in range(1000)], budget=lambda: room.tokens)
    sizes = [len(values) * LENGTH for _, values in room.passes(batches, torch.tensor)]
    assert set(sizes[:-1]) == {512}
    assert (sum(sizes), room.texts(256), room.provenance()) == (8000, 256, {})


def test_the_device_is_named_or_found(monkeypatch):
    monkeypatch.setenv("SCORING_DEVICE", "cpu")
    assert best_device() == CPU
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setenv("SCORING_DEVICE", "cuda")
    with pytest.raises(ModelError, match="no GPU"):
        best_device()
    monkeypatch.setenv("SCORING_DEVICE", "tpu")
    with pytest.raises(ModelError, match="cuda or cpu"):
        best_device()


def test_tables_hold_the_numbers_in_order():
    room = Room(CPU, on_cpu=512)
    assert room.table([(1, 2), (3, 4)]).tolist() == [[1, 2], [3, 4]]
    assert room.tensor([5, 6]).tolist() == [5, 6]
