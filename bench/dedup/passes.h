/* The passes of minic. Each walks the tree, and each has a bug that some programs trigger. */

/* Folds constants. Bug: ignores that a divisor can be zero. */
static int fold(const node *tree, long *value) {
    long left, right;
    if (tree->kind == NUMBER) { *value = tree->value; return 1; }
    if (tree->kind == UNARY && fold(tree->parts[0], &left)) {
        *value = tree->text[0] == '-' ? -left : tree->text[0] == '~' ? ~left : !left;
        return 1;
    }
    if (tree->kind != BINARY || !fold(tree->parts[0], &left) || !fold(tree->parts[1], &right)) return 0;
    switch (tree->text[0]) {
        case '+': *value = (long)((unsigned long)left + (unsigned long)right); return 1;
        case '-': *value = (long)((unsigned long)left - (unsigned long)right); return 1;
        case '*': *value = (long)((unsigned long)left * (unsigned long)right); return 1;
        case '&': *value = left & right; return 1;
        case '|': *value = left | right; return 1;
        case '/': case '%':
            if (!right) fail("fold", "division by zero");
            *value = right == -1 ? 0 : left / right;
            return 1;
        default: return 0;
    }
}

static int any(const node *tree, enum kind kind) {
    if (tree->kind == kind) return 1;
    for (int i = 0; i < tree->count; i++) if (any(tree->parts[i], kind)) return 1;
    return 0;
}

/* Turns multiplications of calls by powers of two into shifts. Bug: the table of shifts ends at 8. */
static void strength(const node *tree) {
    long value;
    if (tree->kind != BINARY || tree->text[0] != '*') return;
    for (int side = 0; side < 2; side++)
        if (any(tree->parts[side], CALL) && fold(tree->parts[1 - side], &value) && value > 256 && !(value & (value - 1)))
            fail("strength", "shift is not in the table");
}

static int calls(const node *tree, const char *name) {
    if (tree->kind == CALL && !strcmp(tree->text, name)) return 1;
    for (int i = 0; i < tree->count; i++) if (calls(tree->parts[i], name)) return 1;
    return 0;
}

/* Inlines calls. Bug: inlines a recursive function forever. */
static void inlining(const node *tree) {
    if (tree->kind == FUNCTION && calls(tree->parts[0], tree->text)) fail("inline", "stack is full");
}

/* Checks the arguments of print. Bug: assumes that every conversion has one. */
static void format(const node *tree) {
    if (tree->kind != CALL || strcmp(tree->text, "print") || !tree->count || tree->parts[0]->kind != STRING) return;
    int conversions = 0;
    for (const char *c = tree->parts[0]->text; *c; c++) conversions += *c == '%' && c[1] && strchr("dxs", c[1]);
    if (conversions >= tree->count && conversions > 1) fail("format", "argument of a conversion is missing");
}

/* Numbers values. Bug: an element whose index has a side effect gets two numbers. */
static void numbering(const node *tree) {
    if (tree->kind == BINARY && tree->parts[0]->kind == INDEX && tree->parts[1]->kind == INDEX
        && any(tree->parts[0], STEP) && any(tree->parts[1], STEP)) fail("numbering", "value has two numbers");
}

/* Builds the control-flow graph. Bug: a condition that assigns has no block if a branch leaves. */
static void blocks(const node *tree) {
    if (tree->kind == IF && tree->count == 3 && tree->parts[0]->kind == ASSIGN && any(tree, RETURN))
        fail("blocks", "block has no successor");
}

/* Allocates registers to loops. Bug: there are only two. */
static void registers(const node *tree, int nesting) {
    nesting += tree->kind == LOOP;
    if (nesting == 3 && any(tree, ASSIGN)) fail("registers", "no register for the third loop");
    for (int i = 0; i < tree->count; i++) registers(tree->parts[i], nesting);
}

static void walk(const node *tree, void (*visit)(const node *)) {
    visit(tree);
    for (int i = 0; i < tree->count; i++) walk(tree->parts[i], visit);
}

static void folding(const node *tree) {
    long value;
    fold(tree, &value);
}

static void run_passes(const node *program) {
    static void (*const passes[])(const node *) = {inlining, format, numbering, strength, folding, blocks};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) walk(program, passes[i]);
    registers(program, 0);
}
