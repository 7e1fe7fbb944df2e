"""Known wrong answers to `minillm.autograd`."""

from minillm.autograd import Value

from . import edit, mistake

ORDER, VALUE = "autograd.topological_order", "autograd.Value"


@mistake(ORDER, "the function calls itself once for each operation, and Python allows only so many "
         "calls inside each other. Keep the Values that wait on a list of your own.",
         raises=True)
def recursive(root: "Value") -> "list[Value]":
    order: list[Value] = []
    done: set[Value] = set()

    def visit(v: "Value") -> None:
        if v not in done:
            done.add(v)
            for p in v.parents:
                visit(p)
            order.append(v)

    visit(root)
    return order


@mistake(ORDER, "a larger recursion limit only moves the end: the function still calls itself once "
         "for each operation. Keep the Values that wait on a list of your own.")
def recursive_with_a_larger_limit(root: "Value") -> "list[Value]":
    import sys
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    order: list[Value] = []
    done: set[Value] = set()

    def visit(v: "Value") -> None:
        if v not in done:
            done.add(v)
            for p in v.parents:
                visit(p)
            order.append(v)

    visit(root)
    sys.setrecursionlimit(before)
    return order


@mistake(ORDER, "a Value that is used twice is in the order twice. Remember which ones are done, "
         "and leave them out.")
def no_memory(root: "Value") -> "list[Value]":
    order: list[Value] = []
    stack = [(root, False)]
    while stack:
        v, parents_done = stack.pop()
        if parents_done:
            order.append(v)
        else:
            stack += [(v, True), *((p, False) for p in v.parents)]
    return order


@mistake(ORDER, "children stand before their parents: this is the order that backward walks. The "
         "function gives the other one, parents first.")
def children_first(root: "Value") -> "list[Value]":
    order: list[Value] = []
    done: set[Value] = set()
    stack = [root]
    while stack:
        waiting = [p for p in stack[-1].parents if p not in done]
        if waiting:
            stack += waiting
        elif (v := stack.pop()) not in done:
            done.add(v)
            order.append(v)
    return order[::-1]


@mistake(ORDER, "this is breadth first, turned around: nearer to the root comes later. With a "
         "short cut in the graph a Value is near the root and a parent of something far from it.")
def breadth_first(root: "Value") -> "list[Value]":
    order, met = [root], {root}
    for v in order:
        for p in v.parents:
            if p not in met:
                met.add(p)
                order.append(p)
    return order[::-1]


@mistake(ORDER, "a Value is noted when it is met, and the list turned around. It may be noted only "
         "when all its parents have been: with a short cut it is met before they are.")
def noted_when_met(root: "Value") -> "list[Value]":
    order: list[Value] = []
    done: set[Value] = set()
    stack = [root]
    while stack:
        v = stack.pop()
        if v not in done:
            done.add(v)
            order.append(v)
            stack += v.parents
    return order[::-1]


@mistake(ORDER, "a Value is marked when it is put on the stack, so a longer way to it finds it "
         "marked and does not wait for it. Mark it when its turn comes.")
def marked_when_pushed(root: "Value") -> "list[Value]":
    order: list[Value] = []
    met, stack = {root}, [(root, False)]
    while stack:
        v, parents_done = stack.pop()
        if parents_done:
            order.append(v)
            continue
        stack.append((v, True))
        for p in v.parents:
            if p not in met:
                met.add(p)
                stack.append((p, False))
    return order


@mistake(ORDER, "two Values with equal numbers are taken for one. Remember the Value itself, not "
         "its data.")
def by_number(root: "Value") -> "list[Value]":
    order: list[Value] = []
    done: set[float] = set()
    stack = [root]
    while stack:
        waiting = [p for p in stack[-1].parents if p.data not in done]
        if waiting:
            stack += waiting
        elif (v := stack.pop()).data not in done:
            done.add(v.data)
            order.append(v)
    return order


edit(ORDER, "sets_grads", "            order.append(v)",
     "            v.grad = 0.0\n            order.append(v)",
     "the grads of the Values have changed. This function gives the order alone; which grads "
     "start anew is for backward to say.")
edit(ORDER, "without_leaves", "return order", "return [v for v in order if v.parents]",
     "the leaves are missing: they are the ones whose gradients you want.")
edit(ORDER, "without_root", "return order", "return order[:-1]",
     "the root itself is missing: it is made from its parents, so it comes last.")

TIMES = 'Value(self.data * other.data, (self, other), "×", (other.data, self.data))'
edit(VALUE, "own_factor", TIMES,
     TIMES.replace("(other.data, self.data)", "(self.data, other.data)"),
     "each factor got its own number as its slope. The derivative of a·b to a is b.")
edit(VALUE, "product_as_sum", TIMES, TIMES.replace("(other.data, self.data)", "(1.0, 1.0)"),
     "both slopes of a product are 1, as for a sum. The derivative of a·b to a is b.")
edit(VALUE, "one_factor", TIMES, TIMES.replace("(other.data, self.data)", "(other.data, 0.0)"),
     "only the first factor of a product gets a gradient. The second has a slope too: a.")
edit(VALUE, "exponent_not_lowered", "n * math.pow(self.data, n - 1)", "n * math.pow(self.data, n)",
     "the exponent has not gone down: the derivative of aⁿ is n·aⁿ⁻¹.")
edit(VALUE, "no_exponent", "n * math.pow(self.data, n - 1)", "math.pow(self.data, n - 1)",
     "the factor n is missing: the derivative of aⁿ is n·aⁿ⁻¹.")
edit(VALUE, "exponent_lowered_first", "n * math.pow(self.data, n - 1)",
     "(n - 1) * math.pow(self.data, n - 1)",
     "the factor in front is n, the exponent before it goes down.")
edit(VALUE, "exp_of_a_sum", '"exp", (e,))', '"exp", (1.0,))',
     "the slope of exp is 1 only at 0. The derivative of eᵃ is eᵃ, the result itself.")
edit(VALUE, "exp_as_a_power", '"exp", (e,))', '"exp", (self.data * math.exp(self.data - 1),))',
     "that is the rule for aⁿ. In eᵃ the exponent moves, and its derivative is eᵃ.")
edit(VALUE, "exp_slope_is_a", '"exp", (e,))', '"exp", (self.data,))',
     "the slope of exp is its result, eᵃ, and not a.")
edit(VALUE, "log_slope_is_the_log", "(1 / self.data,)", "(1 / math.log(self.data),)",
     "the slope of log is 1/a, with the number that went in.")
edit(VALUE, "log_slope_is_a", "(1 / self.data,)", "(self.data,)",
     "the slope of log is 1/a: the larger a, the flatter.")
edit(VALUE, "log_without_refusal", "math.log(self.data)",
     "math.log(self.data) if self.data > 0 else -math.inf",
     "log gives −inf where a is below 0. The docstring asks for a ValueError there, which is "
     "what `math.log` raises by itself.")
edit(VALUE, "log_of_zero", "math.log(self.data), (self,), \"log\", (1 / self.data,)",
     "math.log(self.data) if self.data else -math.inf, (self,), \"log\", "
     "(1 / self.data if self.data else math.inf,)",
     "log gives −inf at 0. The docstring asks for a ValueError there too: 0 is not above 0.")
edit(VALUE, "log_held_above_zero", "return Value(math.log(self.data), (self,), \"log\", "
     "(1 / self.data,))",
     "if self.data < 0:\n            raise ValueError(\"log of a negative number\")\n"
     "        a = max(self.data, 1e-12)\n"
     "        return Value(math.log(a), (self,), \"log\", (1 / a,))",
     "log gives a number at 0, as if a were a little above it. The docstring asks for a "
     "ValueError there.")
edit(VALUE, "log_of_base_ten", "math.log(self.data)", "math.log10(self.data)",
     "this logarithm has base 10. The natural one is asked for.")
edit(VALUE, "log_of_base_two", "math.log(self.data)", "math.log2(self.data)",
     "this logarithm has base 2. The natural one is asked for.")
edit(VALUE, "tanh_not_squared", "1 - t * t", "1 - t",
     "the slope of tanh is 1 − t², with t squared.")
edit(VALUE, "tanh_of_the_input", "1 - t * t", "1 - self.data**2",
     "1 − t² holds for t = tanh(a), the result. You put a in.")
edit(VALUE, "tanh_as_sigmoid", "1 - t * t", "t * (1 - t)",
     "t(1 − t) is the slope of the sigmoid. For tanh it is 1 − t².")
edit(VALUE, "relu_always_open", "1.0 if self.data > 0 else 0.0", "1.0",
     "a gradient passes through a relu that is off. Its slope is 0 where a is negative.")
edit(VALUE, "relu_open_at_zero", "if self.data > 0", "if self.data >= 0",
     "a gradient passes where a is exactly 0. There relu has no derivative; torch takes 0, and so "
     "does this course.")
edit(VALUE, "relu_slope_is_a", "1.0 if self.data > 0 else 0.0", "max(self.data, 0.0)",
     "the slope of relu is 1 where it is on, and not a.")
edit(VALUE, "relu_leaks", "1.0 if self.data > 0 else 0.0", "1.0 if self.data > 0 else 0.01",
     "a little of the gradient passes where relu is off. Its slope there is 0.")

edit(VALUE, "overwrites", "parent.grad += slope * v.grad", "parent.grad = slope * v.grad",
     "each way to a Value replaces what came along the others. Ways add up: +=.")
edit(VALUE, "no_chain", "parent.grad += slope * v.grad", "parent.grad += slope",
     "the slope of the last operation alone is added. By the chain rule it is multiplied by the "
     "gradient of what it led to: v.grad.")
edit(VALUE, "no_slope", "parent.grad += slope * v.grad", "parent.grad += v.grad",
     "the gradient is handed on as it is. Each operation multiplies it by its own slope.")
edit(VALUE, "added", "parent.grad += slope * v.grad", "parent.grad += slope + v.grad",
     "slope and gradient are added. The chain rule multiplies them.")
edit(VALUE, "never_starts", "self.grad += 1.0", "pass",
     "every gradient is 0: the walk starts at the result, whose derivative to itself is 1.")
edit(VALUE, "leaf_starts_anew", "self.grad += 1.0", "self.grad = 1.0",
     "backward of a leaf overwrites the grad that the leaf had. A leaf keeps it and adds to it, "
     "also when it is the result itself: +=.")
edit(VALUE, "starts_at_data", "self.grad += 1.0", "self.grad += self.data",
     "the walk starts with the value of the result. The derivative of the result to itself is 1.")
edit(VALUE, "forwards", "in reversed(order)", "in order",
     "the walk goes from the leaves to the result, when nothing has a gradient yet. Reverse the "
     "order.")
edit(VALUE, "forgets_leaves", "if v.parents:\n                v.grad = 0.0", "v.grad = 0.0",
     "the second call of backward starts the leaves anew. They keep what they have and add to it, "
     "as in torch; only what stands between starts anew.")
edit(VALUE, "remembers_between", "if v.parents:\n                v.grad = 0.0", "pass",
     "at the second call of backward the Values in between still hold the gradient of the first, "
     "and it is counted again. Those with parents start at 0.")
edit(VALUE, "only_the_root_anew", "for v in order:\n            if v.parents:\n"
     "                v.grad = 0.0\n        self.grad += 1.0", "self.grad = 1.0",
     "the root starts anew, but the Values between it and the leaves still hold the gradient of "
     "the first call. All those with parents start at 0.")

PASS = """for v in reversed(order):
            for parent, slope in zip(v.parents, v.slopes, strict=True):
                parent.grad += slope * v.grad"""
edit(VALUE, "no_waiting", PASS, """todo = [self]
        done = set()
        while todo:
            v = todo.pop(0)
            if v not in done:
                done.add(v)
                for parent, slope in zip(v.parents, v.slopes, strict=True):
                    parent.grad += slope * v.grad
                    todo.append(parent)""",
     "a Value hands its gradient on as soon as it is met, before all that use it have given "
     "theirs. Walk the reversed topological order.")
edit(VALUE, "recursion", PASS, """done = set()

        def visit(v):
            done.add(v)
            for parent, slope in zip(v.parents, v.slopes):
                parent.grad += slope * v.grad
                visit(parent)

        visit(self)""",
     "backward calls itself for each parent: what was already handed on is handed on again, and a "
     "long chain runs out of calls. Walk the reversed topological order.", raises=True)
