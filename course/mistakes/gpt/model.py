"""Known wrong answers to MiniGPT: the reference with a piece replaced."""

from .. import edit

GPT = "gpt.MiniGPT"
TIE = "self.head.weight = self.embed.weight"
INIT = "norms.init_weights(self, config.n_layer, generator=generator)"
BLOCKS = "self.blocks = torch.nn.ModuleList(Block(config) for _ in range(config.n_layer))"
LOSS = "F.cross_entropy(logits, targets)"
PLACES = "x = x + self.positions(ids.shape[1], start)"

edit(GPT, "no_final_norm", "self.head(self.final_norm(x))", "self.head(x)",
     "the head reads the line as it is, and it has grown with every layer. The final norm stands "
     "before the head.")
edit(GPT, "norm_before_the_blocks", "x = self.dropout(x)", "x = self.final_norm(self.dropout(x))",
     "the norm stands before the blocks too. The line enters the blocks as it is; final_norm comes "
     "once, after the last one.")
edit(GPT, "not_tied", TIE, "pass",
     "the head has a matrix of its own. With tie_weights it is the embedding's parameter: "
     "head.weight = embed.weight.")
edit(GPT, "tied_by_copy", INIT, f"{INIT}\n        if config.tie_weights:\n            "
     "self.head.weight = torch.nn.Parameter(self.embed.weight.detach().clone())",
     "the head starts as a copy of the embedding, and from the first step on they differ. Tied "
     "means one and the same Parameter.")
edit(GPT, "always_tied", "if config.tie_weights:", "if True:",
     "head and embedding are tied whatever the config says. Look at config.tie_weights.")
edit(GPT, "no_positions", PLACES, "pass",
     "nothing is added for the positions. Where self.positions is not None its vectors are added "
     "to the embedding.")
edit(GPT, "no_start", "self.positions(ids.shape[1], start)", "self.positions(ids.shape[1])",
     "with a cache the new tokens are counted from position 0 again. They begin behind those the "
     "cache holds: hand over start.")
edit(GPT, "positions_by_row", "self.positions(ids.shape[1], start)",
     "self.positions(len(ids), start)[:, None]",
     "each text of the batch got a position, not each token. T is ids.shape[1].")
edit(GPT, "shifted_again", LOSS,
     "F.cross_entropy(logits[:, :-1], targets[:, 1:])",
     "the targets are shifted a second time, so the model learns to predict the token after the "
     "next. get_batch has shifted them already.")
edit(GPT, "ids_as_targets", LOSS, "F.cross_entropy(logits, ids)",
     "the loss compares with the ids that went in: copying would be right. Compare with targets.")
edit(GPT, "one_block", BLOCKS, "self.blocks = torch.nn.ModuleList([Block(config)] * "
     "config.n_layer)",
     "one block stands in the list n_layer times, so all layers share its weights. Make a new "
     "Block for each.", raises=True)
edit(GPT, "no_init", INIT, "pass",
     "the weights are torch's own first ones: an embedding of size 1 makes scores far too large. "
     "Call norms.init_weights at the end.")
edit(GPT, "init_without_layers", INIT,
     "norms.init_weights(self, 1, generator=generator)",
     "the ends of the branches are scaled as in a model of one layer. Hand config.n_layer to "
     "init_weights.")
edit(GPT, "init_twice_the_layers", INIT,
     "norms.init_weights(self, config.n_layer, generator=generator)\n        "
     "[p.data.div_(2 ** 0.5) for n, p in self.named_parameters() "
     "if n.endswith(('out_proj.weight', 'down_proj.weight'))]",
     "the ends of the branches are smaller than they should be: residual_std counts two branches a "
     "layer itself. Hand it the number of layers.")
edit(GPT, "own_seed", INIT, INIT.replace("=generator", "=torch.Generator().manual_seed(0)"),
     "the model makes a generator of its own, so it starts alike whatever seed was asked for. Hand "
     "on the one that came in.")
edit(GPT, "no_generator", INIT, "norms.init_weights(self, config.n_layer)",
     "the generator is not used, so two models from one seed differ. Hand it to init_weights.")
edit(GPT, "no_layer_number", "x = block(x, cache, layer)", "x = block(x, cache)",
     "every block calls itself layer 0, so with a cache they read each other's keys. Hand each its "
     "number.")
edit(GPT, "no_cache", "x = block(x, cache, layer)", "x = block(x)",
     "the blocks get no cache, so a new token sees nothing of those before it.")
edit(GPT, "no_dropout", "x = self.dropout(x)", "pass",
     "nothing is dropped from the embedding in training. self.dropout acts on it before the "
     "blocks.")
edit(GPT, "scaled_embedding", "x = self.embed(ids)", "x = self.embed(ids) * "
     "self.config.d_model ** 0.5",
     "the embedding is multiplied by √D, as in the first transformer. Here it is not, and with a "
     "tied head of size 0.02 the positions would hardly count.")
edit(GPT, "last_position_only", "logits: torch.Tensor = self.head(self.final_norm(x))",
     "x = x if targets is not None else x[:, -1:]\n        "
     "logits: torch.Tensor = self.head(self.final_norm(x))",
     "without targets only the last position is scored. Callers expect [B, T, V] in both cases.")
edit(GPT, "probabilities", LOSS, "F.cross_entropy(F.softmax(logits), targets)",
     "cross_entropy is given probabilities, and takes their softmax again. It wants the logits.")
edit(GPT, "summed_loss", LOSS, "F.cross_entropy(logits, targets) * targets.numel()",
     "the loss is a sum over all tokens, so it grows with the batch. It is a mean.")
edit(GPT, "one_layer_less", BLOCKS, BLOCKS.replace("range(config.n_layer)",
     "range(1, config.n_layer)"),
     "a layer is missing. range(n_layer) makes n_layer blocks.", raises=True)
edit(GPT, "head_with_bias", "config.vocab_size, bias=False)", "config.vocab_size)",
     "the head has a bias. bias=False: the table has no row for it.")
edit(GPT, "head_with_the_config's_bias", "config.vocab_size, bias=False)",
     "config.vocab_size, bias=config.bias)",
     "the head has a bias where the config gives the other layers one. bias=False: it has none in "
     "any model.")
edit(GPT, "counts_from_1", "enumerate(self.blocks)", "enumerate(self.blocks, 1)",
     "the layers are counted from 1, and the cache has no layer n_layer. Count from 0.")
edit(GPT, "only_the_learned", "if self.positions is not None:",
     "if self.config.position == 'learned':",
     "nothing is added for sinusoids. Whatever make_positions gave is added; only None is not.")
edit(GPT, "only_words_dropped", "x = self.dropout(x)", "pass; x = self.dropout(self.embed(ids))"
     "\n        x = x if self.positions is None else x + self.positions(ids.shape[1], start)",
     "dropout acts on the vectors of the tokens alone. It acts on the sum of token and position.")
edit(GPT, "dropout_out_of_training", "x = self.dropout(x)",
     "x = torch.nn.functional.dropout(x, self.config.dropout)",
     "something is dropped out of training too: the function of that name does so unless told "
     "otherwise. The module self.dropout knows the mode.")
edit(GPT, "dropped_before_the_head", "self.head(self.final_norm(x))",
     "self.head(self.dropout(self.final_norm(x)))",
     "something is dropped behind the blocks too. self.dropout acts once, on what enters them.")
edit(GPT, "always_layer_norm", "self.final_norm = make_norm(config)",
     "self.final_norm = norms.LayerNorm(config.d_model)",
     "the final norm is a LayerNorm with a bias whatever the config says. make_norm(config) makes "
     "the one it names.")
edit(GPT, "init_too_early", INIT, f"{INIT}\n        if not config.tie_weights:\n            "
     "self.head = torch.nn.Linear(config.d_model, config.vocab_size, bias=False)",
     "the weights are torch's own first ones in what was made after init_weights, as a head of "
     "its own. Call it when all parts are there.")
edit(GPT, "norms_drawn_too", INIT, f"{INIT}\n        "
     "[torch.nn.init.normal_(p, 0.0, 0.02, generator=generator) for p in self.parameters()"
     " if p.dim() < 2]",
     "gains and biases are drawn at random too. Norms start with a gain of 1 and biases with 0, "
     "as init_weights leaves them.")
edit(GPT, "seed_of_everything", INIT, f"torch.manual_seed(0); {INIT}",
     "making a model sets torch's own random numbers, and every later draw of the program with "
     "them. Only `generator` is used.")
edit(GPT, "flat_logits", "return logits, loss", "return (logits if targets is None else "
     "logits.flatten(0, 1)), loss",
     "with targets the logits come flattened to [B·T, V]. Flatten a copy for the loss; callers "
     "expect [B, T, V] in both cases.")
edit(GPT, "loss_first", "return logits, loss", "return loss, logits",
     "loss and logits come in the wrong order. Give (logits, loss).")
edit(GPT, "logits_alone", "return logits, loss",
     "return logits if loss is None else (logits, loss)",
     "without targets the logits come alone, and callers that take them apart get the first text "
     "of the batch. Give (logits, None).")
edit(GPT, "gives_probabilities", "return logits, loss", "return F.softmax(logits), loss",
     "what comes back are probabilities. Give the scores; whoever samples takes the softmax.")
edit(GPT, "seed_of_its_own_if_none", INIT,
     f"generator = generator or torch.Generator().manual_seed(0)\n        {INIT}",
     "without a generator every model starts alike. None goes on to init_weights, which then takes "
     "torch's own random numbers.")
RATE = "torch.nn.Dropout(p=config.dropout)"
edit(GPT, "a_half_dropped", RATE, "torch.nn.Dropout()",
     "the rate of self.dropout is not the config's: a half is dropped, whatever config.dropout "
     "says. Hand it over.")
edit(GPT, "a_tenth_dropped", RATE, "torch.nn.Dropout(0.1)",
     "something is dropped in training, but not at the rate of the config. self.dropout is made "
     "with config.dropout.")
edit(GPT, "no_slope_without_targets", "return logits, loss",
     "return (logits.detach() if targets is None else logits), loss",
     "without targets the logits carry no gradient: something cuts the graph, such as .detach() or "
     "no_grad. Whoever wants none says so outside.", raises=True)
edit(GPT, "start_of_its_own", "x = self.embed(ids)", "start = getattr(self, 'seen', 0) if cache is "
     "not None else 0\n        self.seen = start + ids.shape[1] if cache is not None else 0\n"
     "        x = self.embed(ids)",
     "the model counts positions itself, so a new cache goes on where the last one ended. What the "
     "cache holds is what counts: start.")
edit(GPT, "rests_with_a_cache", "x = self.embed(ids)",
     "if cache is not None:\n            self.eval()\n        x = self.embed(ids)",
     "a call with a cache leaves the model in evaluation mode, and what is trained then goes on "
     "without dropout. The mode belongs to whoever calls.")
