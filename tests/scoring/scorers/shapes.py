"""Little networks of every shape that is read, with weights drawn by a seed."""

from typing import Any

import torch
import transformers

SMALL: dict[str, Any] = {"vocab_size": 200, "max_position_embeddings": 40}
BERT: dict[str, Any] = SMALL | {
    "hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 48, "type_vocab_size": 2
}  # fmt: skip
SHAPES = {
    "bert": transformers.BertConfig(**BERT),
    "bert with relu": transformers.BertConfig(**BERT, hidden_act="relu"),
    "one layer": transformers.BertConfig(**BERT | {"num_hidden_layers": 1}),
    "roberta": transformers.RobertaConfig(**BERT, pad_token_id=1),
    "xlm-roberta": transformers.XLMRobertaConfig(**BERT, pad_token_id=1),
    "camembert": transformers.CamembertConfig(**BERT, pad_token_id=1),
    "electra": transformers.ElectraConfig(**BERT, embedding_size=16),
    "electra of one width": transformers.ElectraConfig(**BERT, embedding_size=24),
    "distilbert": transformers.DistilBertConfig(**SMALL, dim=24, n_layers=3, n_heads=4, hidden_dim=48),
}
OTHERS = {
    "deberta-v2": transformers.DebertaV2Config(**BERT, relative_attention=True, pos_att_type=["c2p"]),
    "albert": transformers.AlbertConfig(**BERT, embedding_size=16),
}


def made(config: Any) -> Any:
    torch.manual_seed(3)
    model = transformers.AutoModelForMaskedLM.from_config(config).eval()
    # Freshly made norms and biases are ones and zeros, which would hide one that is forgotten.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model
