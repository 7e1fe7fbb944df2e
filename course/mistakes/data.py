"""Known wrong answers to `minillm.data`."""

from . import edit, reference

LOAD, CORPUS, SPLIT_DOCS = "data.load_documents", "data.load_corpus", "data.split_documents"
SPLIT, BATCH = "data.split", "data.get_batch"
NAME = "path.relative_to(root).as_posix()"

edit(LOAD, "nothing_skipped", " and not skip(name)", "",
     "hidden and git-ignored folders are read too: what a program has put there is not your text.")
edit(LOAD, "hidden_only", "not skip(name)",
     'not any(p.startswith(".") for p in name.split("/"))',
     "git-ignored folders are read too. `skip(name)` knows what .gitignore leaves out.")
edit(LOAD, "ignored_only", "not skip(name)", '(not skip(name) or "/." in f"/{name}")',
     "hidden folders are read too: those whose name begins with a dot.")
edit(LOAD, "hidden_at_the_top_only", "not skip(name)",
     '(not skip(name) or ("/." in name and not name.startswith(".")))',
     "only hidden folders directly below the root are left out. A hidden folder may lie deeper.")
edit(LOAD, "skips_by_the_absolute_path", "not skip(name)",
     'not skip(name) and not any(p.startswith(".") for p in path.parts)',
     "the whole path is searched for hidden folders, so nothing is found when the root itself lies "
     "in one. Only what is below the root counts.")
edit(LOAD, "file_names", NAME, "path.name",
     "the key is the bare name of the file, so that two files of the same name in different "
     "folders become one.")
edit(LOAD, "absolute_paths", NAME, "path.as_posix()",
     "the key is the whole path, which differs from machine to machine. It should be relative to "
     "the root.")
edit(LOAD, "only_the_top", "root.glob(pattern)", 'root.glob(pattern.removeprefix("**/"))',
     "only files directly in the root are found: the pattern `**/*.md` asks for all levels.")
edit(LOAD, "always_markdown", "root.glob(pattern)", 'root.glob("**/*.md")',
     "the pattern is not used: it is always `**/*.md`.")
edit(LOAD, "every_file", "root.glob(pattern)", 'root.rglob("*")',
     "the pattern is not used: every file is read.")
edit(LOAD, "not_in_order", "sorted(documents.items())",
     'sorted(documents.items(), key=lambda item: (-item[0].count("/"), item[0]))',
     "the paths are not in order. How a disk lists them differs from machine to machine, so sort "
     "them.")
edit(LOAD, "sorted_as_paths", "sorted(documents.items())",
     "sorted(documents.items(), key=lambda item: Path(item[0]))",
     "the paths are sorted as Path objects, which compare folder by folder: notes/c.md before "
     "notes.md. Sort the strings.")
edit(LOAD, "bad_bytes_passed_over", "read(path)", 'path.read_text("utf-8", errors="ignore")',
     "a file that is not UTF-8 is read all the same, and what can't be read is lost without a "
     "word. `read(path)` says which file it is.")
edit(LOAD, "sorted_by_text", "sorted(documents.items())",
     "sorted(documents.items(), key=lambda item: item[1])",
     "the documents are sorted by their text; sort by path.")
edit(LOAD, "last_first", "sorted(documents.items())", "sorted(documents.items(), reverse=True)",
     "the paths are in reverse order.")
edit(LOAD, "latin", "read(path)", 'path.read_text("latin-1")',
     "the files are read with the wrong table: they are UTF-8, and ï has become two characters.")
edit(LOAD, "ascii_only", "read(path)", 'path.read_text("ascii", errors="ignore")',
     "every character outside ASCII is lost. The files are UTF-8.")
edit(LOAD, "names_for_texts", "= read(path)", "= name",
     "the value is the path again. It should be the text of the file.")

edit(LOAD, "only_what_is_skipped", "not skip(name)", "skip(name)",
     "`skip(name)` is True for what is to be left out, and that is all that has been read.")
edit(LOAD, "a_list", "dict(sorted(documents.items()))", "sorted(documents.items())",
     "sorted gives a list of pairs. Make a dict of it again.", raises=True)
edit(LOAD, "unreadable_left_out", "            documents[name] = read(path)",
     "            try:\n                documents[name] = read(path)\n"
     "            except ValueError:\n                pass",
     "a file that is not UTF-8 is left out without a word. `read(path)` raises a ValueError that "
     "says which file it is: let it through.")

edit(LOAD, "sorted_without_case", "sorted(documents.items())",
     "sorted(documents.items(), key=lambda item: item[0].lower())",
     "the paths are sorted as if all letters were small. As strings, Z.md stands before a.md.")
edit(LOAD, "empty_left_out", "documents[name] = read(path)",
     "text = read(path)\n            if text:\n                documents[name] = text",
     "an empty file is missing. It is a document too, and its text is the empty string.")
for how in ("strip", "rstrip"):
    edit(LOAD, f"text_after_{how}", "read(path)", f"read(path).{how}()",
         "the spaces or line breaks at the end of a text are gone. The text of a file is all of "
         "it.")
edit(LOAD, "read_before_it_is_asked", "if path.is_file() and not skip(name):\n"
     "            documents[name] = read(path)",
     "text = read(path) if path.is_file() else None\n"
     "        if text is not None and not skip(name):\n            documents[name] = text",
     "a file that is to be left out is read all the same, and one that is not UTF-8 stops it all. "
     "Ask `skip(name)` first.", raises=True)

TEXTS = 'load_documents(root, pattern).values()'
edit(CORPUS, "one_line_break", r'"\n\n".join', r'"\n".join',
     "between two documents there is a line break and no blank line. A blank line takes two.")
edit(CORPUS, "nothing_between", r'"\n\n".join', '"".join',
     "the documents run into each other: the last word of one and the first of the next become "
     "one.")
edit(CORPUS, "a_space_between", r'"\n\n".join', '" ".join',
     "between two documents there is a space; a blank line is wanted.")
edit(CORPUS, "names_joined", ".values()", "",
     "these are the paths: a dict gives its keys. Take the values.")
edit(CORPUS, "pattern_not_passed_on", "load_documents(root, pattern)", "load_documents(root)",
     "the pattern is not passed on.")
edit(CORPUS, "blank_line_at_the_end", TEXTS + ")", TEXTS + r') + "\n\n"',
     "there is a blank line behind the last document as well. It only stands between two.")
edit(CORPUS, "everything", TEXTS,
     '(p.read_text("utf-8") for p in sorted(Path(root).glob(pattern)) if p.is_file())',
     "hidden and git-ignored folders are read too. `load_documents` leaves them out.")
edit(CORPUS, "line_breaks_taken_off", TEXTS, r'(t.rstrip("\n") for t in ' + TEXTS + ")",
     "the line breaks at the end of the documents are gone. Each text stays as it is.")
edit(CORPUS, "empty_left_out", TEXTS, "filter(None, " + TEXTS + ")",
     "an empty document is left out, and the blank line beside it. It is one of the documents.")
edit(CORPUS, "equal_ones_once", TEXTS, "dict.fromkeys(" + TEXTS + ")",
     "of two documents with the same text one is lost. Every document stands in the corpus.")
edit(CORPUS, "with_names", TEXTS,
     r'(f"{name}\n{text}" for name, text in load_documents(root, pattern).items())',
     "the names of the files stand in the text. Only the texts are wanted.")

TRAIN = "train = {name: text for name, text in documents.items() if name not in drawn}"
VAL = "val = {name: text for name, text in documents.items() if name in drawn}"
ORDER = "torch.randperm(len(names), generator=generator).tolist()"
DRAWN = reference(SPLIT_DOCS)[1].partition("    missing")[2].partition("    train")[0]
BYTES = DRAWN.replace("len(text)", "len(text.encode())").replace("]])", "]].encode())")
edit(SPLIT_DOCS, "whatever_the_seed", ORDER, "list(range(len(names)))[::-1]",
     "the same documents are held out whatever the seed is. Draw them with the generator that was "
     "made from it; the last ones by name may all be of one kind.")
edit(SPLIT_DOCS, "own_randomness", ORDER, "torch.randperm(len(names)).tolist()",
     "the same seed gives other documents each time: `generator` is not used, so torch draws from "
     "its own.")
edit(SPLIT_DOCS, "torchs_own_generator", "missing = val",
     "torch.manual_seed(seed)\n    missing = val",
     "this sets the random numbers of the whole process, so that everything drawn later depends on "
     "it: other code that draws from torch, NumPy or Python gets other numbers. Draw from a "
     "generator of your own.")
edit(SPLIT_DOCS, "taken_out", "    return train, val",
     "    for name in drawn:\n        documents.pop(name)\n    return train, val",
     "the documents that were drawn are gone from the dict that was given. Build two new ones.")
edit(SPLIT_DOCS, "train_keeps_all", TRAIN, "train = dict(documents)",
     "the validation documents are in training too. Then validation shows what was learned by "
     "heart.")
edit(SPLIT_DOCS, "swapped", "return train, val", "return val, train",
     "training and validation have changed places: the large part comes first.")
edit(SPLIT_DOCS, "cut_through_documents", TRAIN + "\n    " + VAL,
     "cut = int(len(documents) * 3 / 4)\n"
     "    train = {n: t[:-3] for n, t in documents.items()}\n"
     "    val = {n: t[-3:] for n, t in documents.items()}",
     "every document is on both sides, cut in two. Whole documents belong on one side or the "
     "other.")
edit(SPLIT_DOCS, "some_lost", "if name not in drawn}", "if name not in names[:2] + [*drawn]}",
     "some documents are on neither side.")
edit(SPLIT_DOCS, "one_document", "        if missing > 0:\n            drawn.add(names[i])\n",
     "        if missing > 0 and not drawn:\n            drawn.add(names[i])\n",
     "only one document is held out, whatever `val_fraction` says.")
edit(SPLIT_DOCS, "by_their_number", "        if missing > 0:\n",
     "        if len(drawn) < int(val_fraction * len(names)):\n",
     "`val_fraction` of the documents is held out, however long they are. Draw until they hold "
     "that share of the characters.")
edit(SPLIT_DOCS, "bytes_counted", DRAWN, BYTES,
     "bytes are counted, and a Chinese character has three. `val_fraction` is a share of the "
     "characters.")
edit(SPLIT_DOCS, "drawn_again", f"for i in {ORDER}[1:]:  # one is left",
     "while missing > 0 and len(drawn) < len(names) - 1:\n"
     "        i = int(torch.randint(len(names), (), generator=generator))",
     "the same document may be drawn again, and its characters are counted each time, so too few "
     "are held out. Draw each one once.")
edit(SPLIT_DOCS, "one_too_few", "        if missing > 0:\n",
     "        if missing >= len(documents[names[i]]):\n",
     "the drawing stops before the document that would reach `val_fraction`, or leaves it out. "
     "At least that share is asked for, so it belongs to the validation pile.")
edit(SPLIT_DOCS, "always_one", "        if missing > 0:\n",
     "        if missing > 0 or not drawn:\n",
     "a document is held out even when `val_fraction` is 0. Look whether any is missing before "
     "you draw.")
edit(SPLIT_DOCS, "none_left", "[1:]:  # one is left", ":",
     "every document can be drawn, so that none is left to learn from. Stop while one is left.")
edit(SPLIT_DOCS, "as_they_were_drawn", VAL,
     "order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()\n"
     "    val = {names[i]: documents[names[i]] for i in order if names[i] in drawn}",
     "the validation documents stand in the order in which they were drawn. Both dicts keep the "
     "order of `documents`.")
edit(SPLIT_DOCS, "names_only", VAL, "val = {name: name for name in drawn}",
     "the validation texts are lost: their names stand in their place.")

CUT = "cut = len(ids) - int(len(ids) * val_fraction)"
edit(SPLIT, "validation_first", "return ids[:cut], ids[cut:]",
     "n = len(ids) - cut\n    return ids[n:], ids[:n]",
     "the first ids are held out. The docstring wants the last ones.")
edit(SPLIT, "swapped", "return ids[:cut], ids[cut:]", "return ids[cut:], ids[:cut]",
     "training and validation have changed places.")
edit(SPLIT, "fraction_of_training", CUT, "cut = int(len(ids) * val_fraction)",
     "`val_fraction` is the share of the validation part, not of the training part.")
edit(SPLIT, "minus_nothing", CUT + "\n    return ids[:cut], ids[cut:]",
     "n = int(len(ids) * val_fraction)\n    return ids[:-n], ids[-n:]",
     "when nothing is held out, ids[:-0] is empty, since −0 is 0. Count the cut from the front.")
edit(SPLIT, "rounded", "int(len(ids) * val_fraction)", "round(len(ids) * val_fraction)",
     "the size is rounded to the nearest number; int() rounds down.")
edit(SPLIT, "rounded_up", "int(len(ids) * val_fraction)", "-int(-len(ids) * val_fraction // 1)",
     "the validation part is rounded up, or the training part down, which is the same. int() goes "
     "round n · val_fraction.")
edit(SPLIT, "one_lost", "ids[cut:]", "ids[cut + 1:]",
     "one id at the cut is on neither side.")
edit(SPLIT, "one_in_both", "ids[cut:]", "ids[max(0, cut - 1):]",
     "one id at the cut is on both sides.")
edit(SPLIT, "one_lost_in_front", "ids[:cut], ids[cut:]", "ids[:max(0, cut - 1)], ids[cut:]",
     "one id in front of the cut is on neither side.")
edit(SPLIT, "one_more_in_both", "ids[:cut], ids[cut:]", "ids[:cut + 1], ids[cut:]",
     "one id behind the cut is on both sides.")
edit(SPLIT, "always_some", "int(len(ids) * val_fraction)", "max(1, int(len(ids) * val_fraction))",
     "at least one id is always held out. The docstring says int(n · val_fraction), and that may "
     "be 0.")
edit(SPLIT, "always_one_for_training", CUT, CUT.replace("= ", "= max(1, ") + ")",
     "at least one id is always left for training. With `val_fraction` 1 none is.")
edit(SPLIT, "whole_percent", "int(len(ids) * val_fraction)",
     "len(ids) * int(val_fraction * 100) // 100",
     "`val_fraction` is cut to whole percent first. Multiply by the number of ids, then cut once.")
edit(SPLIT, "default_fraction", "int(len(ids) * val_fraction)", "int(len(ids) * 0.05)",
     "`val_fraction` is not used.")
edit(SPLIT, "int64", "return ids[:cut], ids[cut:]", "return ids[:cut].long(), ids[cut:].long()",
     "the ids have another dtype than they came with.")

STARTS = "torch.randint(len(ids) - block_size, (batch_size, 1), generator=generator)"
edit(BATCH, "last_window_missing", "len(ids) - block_size, (",
     "max(1, len(ids) - block_size - 1), (",
     "the last window is never drawn. The largest start is n − T − 1, and `randint` leaves its "
     "upper end out by itself.")
edit(BATCH, "first_window_missing", STARTS,
     "torch.randint(min(1, len(ids) - block_size - 1), len(ids) - block_size, (batch_size, 1), "
     "generator=generator)",
     "the first window is never drawn: a start of 0 is possible too.")
edit(BATCH, "one_start_too_many", "torch.randint(len(ids) - block_size, (",
     "torch.randint(len(ids) - block_size + 1, (",
     "the last start leaves no target for its last token: i + T must still be an id.", raises=True)
edit(BATCH, "not_shifted", "ids[at + 1]", "ids[at]",
     "y is x itself. A model that may look at its own input learns to copy; the target is the next "
     "token.")
edit(BATCH, "shifted_to_the_right", "return ids[at], ids[at + 1]", "return ids[at + 1], ids[at]",
     "the targets are the tokens before. The next token is wanted: y[t] = x[t + 1].")
edit(BATCH, "previous_token", "ids[at + 1]", "ids[at - 1]",
     "y holds the token before each input, and for a start of 0 even the last of the text. The "
     "next token is wanted.")
edit(BATCH, "shifted_twice", "ids[at + 1]", "ids[(at + 2).clamp(max=len(ids) - 1)]",
     "y is shifted by two: the next token is skipped.")
edit(BATCH, "last_target_only", "ids[at + 1]", "ids[at[:, -1:] + 1]",
     "only the token after the window is a target. Every position has one.")
edit(BATCH, "rolled", "return ids[at], ids[at + 1]", "return ids[at], ids[at].roll(-1, 1)",
     "the last target is the first token of the same window. It should be the token that follows "
     "in the text.")
edit(BATCH, "generator_not_used", ", generator=generator)", ")",
     "`generator` is not passed on, so the batch can't be had again.")
edit(BATCH, "seeded_by_itself", "    starts = ",
     "    if generator is None:\n        generator = torch.Generator().manual_seed(0)\n"
     "    starts = ",
     "without a generator each batch is the same one. With None torch draws from its own.")
edit(BATCH, "same_start_in_every_row", "(batch_size, 1)", "(1, 1)",
     "one start is drawn for the whole batch; each row needs its own.")
edit(BATCH, "the_same_row_again", STARTS,
     "torch.randint(len(ids) - block_size, (1, 1), generator=generator).repeat(batch_size, 1)",
     "every row is the same window; each needs a start of its own.")
edit(BATCH, "tokens_drawn_one_by_one", "at = starts + torch.arange(block_size)",
     "at = torch.randint(len(ids) - 1, (batch_size, block_size), generator=generator)",
     "every token is drawn by itself. A row is a piece of text: T ids that follow each other.")
edit(BATCH, "transposed", "return ids[at], ids[at + 1]", "return ids[at].T, ids[at + 1].T",
     "the batch is [T, B]; rows come first: [B, T].")
edit(BATCH, "multiples_of_the_window", STARTS,
     "torch.randint(-(-(len(ids) - block_size) // block_size), (batch_size, 1), "
     "generator=generator) * block_size",
     "windows start at multiples of T only. Any place where a window and its targets fit is "
     "possible.")
edit(BATCH, "pushed_back", STARTS,
     "torch.randint(len(ids), (batch_size, 1), generator=generator)"
     ".clamp(max=len(ids) - block_size - 1)",
     "starts too near the end are pushed back to the last window, so it is drawn far more often "
     "than the others. Draw from the possible starts alone.")
edit(BATCH, "always_from_the_beginning", STARTS,
     "torch.arange(batch_size)[:, None] % (len(ids) - block_size)",
     "the starts are not drawn but counted up, so each batch is the same.")
edit(BATCH, "one_after_another", STARTS,
     "(torch.randint(len(ids) - block_size, (1, 1), generator=generator)\n"
     "              + torch.arange(batch_size)[:, None]) % (len(ids) - block_size)",
     "one start is drawn, and each other row begins one place further. Every row needs a start "
     "that is drawn for it.")
edit(BATCH, "as_strided", "return ids[at], ids[at + 1]",
     "rows = ids.as_strided((len(ids) - block_size, block_size + 1), (1, 1))[starts[:, 0]]\n"
     "    return rows[:, :-1], rows[:, 1:]",
     "as_strided counts places in memory, and neighbours of ids[::2] are two of them apart. "
     "unfold, or indices, count the ids.")
