/* A compiler for a small subset of C with seven seeded bugs, each in its own pass and with its own message.
 *
 * minic FILE: exit status 0 if FILE is a valid program, 1 if it is not (syntax, names, number of arguments), 3 with
 * "minic: internal error: PASS: ..." if a pass crashes on it. It must be fast: it runs a hundred thousand times. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, STRING, NAME, CALL, INDEX, UNARY, STEP, BINARY, ASSIGN, CHOICE, EXPRESSION, DECLARATION, IF, LOOP, RETURN,
            LEAVE, BLOCK, FUNCTION };

/* `parts` are operands, arguments or statements; `text` is a name, an operator or the contents of a string. */
typedef struct node {
    enum kind kind;
    char text[64];
    long value;
    int count;
    struct node *parts[64];
} node;

static char source[1 << 20];
static const char *at = source;
static char token[64];
static enum { END, WORD, DIGITS, QUOTED, SIGN } type;

static void reject(const char *why) {
    fprintf(stderr, "minic: error: %s near '%.60s'\n", why, token);
    exit(1);
}

static void fail(const char *pass, const char *what) {
    fprintf(stderr, "minic: internal error: %s: %s\n", pass, what);
    exit(3);
}

/* ---- tokens ---- */

static void next(void) {
    for (;;) {
        while (isspace((unsigned char)*at)) at++;
        if (at[0] == '/' && at[1] == '/') while (*at && *at != '\n') at++;
        else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            if (!end) reject("open comment");
            at = end + 2;
        } else break;
    }
    const char *start = at;
    if (!*at) type = END;
    else if (isalpha((unsigned char)*at) || *at == '_') { while (isalnum((unsigned char)*at) || *at == '_') at++; type = WORD; }
    else if (isdigit((unsigned char)*at)) { while (isalnum((unsigned char)*at)) at++; type = DIGITS; }
    else if (*at == '"') {
        for (at++; *at && *at != '"' && *at != '\n'; at++) if (*at == '\\' && at[1]) at++;
        if (*at++ != '"') reject("open string");
        type = QUOTED;
    } else {
        static const char *const pairs[] = {"==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "+=", "-=", "*="};
        type = SIGN;
        at++;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (!strncmp(start, pairs[i], 2)) { at = start + 2; break; }
    }
    if (at - start >= 60) reject("token too long");
    memcpy(token, start, (size_t)(at - start));
    token[at - start] = 0;
}

static int is(const char *text) { return type != QUOTED && !strcmp(token, text); }
static int take(const char *text) { return is(text) ? (next(), 1) : 0; }
static void expect(const char *text) { if (!take(text)) reject(text); }

/* ---- names ---- */

static struct { char name[64]; int depth, arguments; } names[4096];
static int known, depth, loops;

static int find(const char *name) {
    for (int i = known - 1; i >= 0; i--) if (!strcmp(names[i].name, name)) return i;
    reject("unknown name");
    return 0;
}

static void declare(const char *name, int arguments) {
    static const char *const keywords[] = {"int", "void", "if", "else", "while", "for", "return", "break"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(name, keywords[i])) reject("keyword as a name");
    for (int i = known - 1; i >= 0 && names[i].depth == depth; i--)
        if (!strcmp(names[i].name, name)) reject("name declared twice");
    if (known == 4096) reject("too many names");
    strcpy(names[known].name, name);
    names[known].depth = depth;
    names[known++].arguments = arguments;
}

static void close_scope(void) {
    depth--;
    while (known && names[known - 1].depth > depth) known--;
}

/* ---- trees ---- */

static node *make(enum kind kind, const char *text) {
    node *made = calloc(1, sizeof *made);
    made->kind = kind;
    snprintf(made->text, sizeof made->text, "%s", text);
    return made;
}

static void add(node *parent, node *part) {
    if (parent->count == 64) reject("too many parts");
    parent->parts[parent->count++] = part;
}

static node *expression(void);
static node *assignment(void);

/* Arguments: -1 stands for a variable, -2 for a function that takes any number. */
static node *primary(void) {
    node *made;
    if (type == DIGITS) {
        char *end;
        made = make(NUMBER, "");
        made->value = strtol(token, &end, 0);
        while (*end && strchr("uUlL", *end)) end++;
        if (*end) reject("not a number");
        next();
    } else if (type == QUOTED) {
        made = make(STRING, token);
        next();
    } else if (take("(")) {
        made = expression();
        expect(")");
    } else {
        if (type != WORD) reject("no expression");
        int entry = find(token);
        made = make(NAME, token);
        next();
        if (take("(")) {
            made->kind = CALL;
            while (!is(")")) {
                add(made, assignment());
                if (!take(",")) break;
            }
            expect(")");
            int wanted = names[entry].arguments;
            if (wanted == -1 || (wanted >= 0 && wanted != made->count)) reject("wrong call");
        } else if (names[entry].arguments != -1) reject("function as a value");
    }
    while (take("[")) {
        node *index = make(INDEX, "[");
        if (made->kind != NAME) reject("not an array");
        add(index, made);
        add(index, expression());
        expect("]");
        made = index;
    }
    while (is("++") || is("--")) {
        node *step = make(STEP, token);
        if (made->kind != NAME) reject("not a variable");
        add(step, made);
        next();
        made = step;
    }
    return made;
}

static node *unary(void) {
    if (is("-") || is("!") || is("~")) {
        node *made = make(UNARY, token);
        next();
        add(made, unary());
        return made;
    }
    return primary();
}

static int level_of(const char *sign) {
    static const char *const levels[] = {"||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};
    size_t length = strlen(sign);
    for (int level = 0; level < 10 && type == SIGN; level++)
        for (const char *found = levels[level]; found; found = strchr(found, ' ')) {
            while (*found == ' ') found++;
            if (!strncmp(found, sign, length) && (found[length] == ' ' || !found[length])) return level;
        }
    return -1;
}

static node *binary(int level) {
    if (level == 10) return unary();
    node *left = binary(level + 1);
    while (level_of(token) == level) {
        node *made = make(BINARY, token);
        next();
        add(made, left);
        add(made, binary(level + 1));
        left = made;
    }
    return left;
}

static node *assignment(void) {
    node *left = binary(0);
    if (take("?")) {
        node *choice = make(CHOICE, "?");
        add(choice, left);
        add(choice, expression());
        expect(":");
        add(choice, assignment());
        return choice;
    }
    if (!is("=") && !is("+=") && !is("-=") && !is("*=")) return left;
    if (left->kind != NAME && left->kind != INDEX) reject("not assignable");
    node *made = make(ASSIGN, token);
    next();
    add(made, left);
    add(made, assignment());
    return made;
}

static node *expression(void) { return assignment(); }

static node *declaration(void) {
    node *made = make(DECLARATION, token);
    if (type != WORD) reject("no name");
    char name[64];
    strcpy(name, token);
    next();
    if (take("[")) {
        if (type != DIGITS) reject("no size");
        next();
        expect("]");
    } else if (take("=")) add(made, expression());
    declare(name, -1);
    expect(";");
    return made;
}

static node *statement(void);

static node *block(void) {
    node *made = make(BLOCK, "{");
    depth++;
    while (!is("}")) {
        if (type == END) reject("open block");
        add(made, statement());
    }
    next();
    close_scope();
    return made;
}

static node *loop(void) {
    node *made = make(LOOP, token);
    int is_for = is("for");
    next();
    expect("(");
    if (is_for) {
        for (int part = 0; part < 3; part++) {
            const char *end = part == 2 ? ")" : ";";
            if (!is(end)) add(made, expression());
            expect(end);
        }
    } else {
        add(made, expression());
        expect(")");
    }
    loops++;
    add(made, statement());
    loops--;
    return made;
}

static node *statement(void) {
    node *made;
    if (take("{")) return block();
    if (take(";")) return make(BLOCK, ";");
    if (take("int")) return declaration();
    if (is("while") || is("for")) return loop();
    if (take("if")) {
        made = make(IF, "if");
        expect("(");
        add(made, expression());
        expect(")");
        add(made, statement());
        if (take("else")) add(made, statement());
        return made;
    }
    if (take("break")) {
        if (!loops) reject("break outside of a loop");
        made = make(LEAVE, "break");
    } else if (take("return")) {
        made = make(RETURN, "return");
        if (!is(";")) add(made, expression());
    } else {
        made = make(EXPRESSION, ";");
        add(made, expression());
    }
    expect(";");
    return made;
}

static node *function_or_variable(void) {
    if (!take("int") && !take("void")) reject("no type");
    if (type != WORD) reject("no name");
    const char *rest = at;
    while (isspace((unsigned char)*rest)) rest++;
    if (*rest != '(') return declaration();
    node *made = make(FUNCTION, token);
    char parameters[16][64];
    int count = 0;
    next();
    expect("(");
    while (!is(")")) {
        expect("int");
        if (type != WORD || count == 16) reject("no parameter");
        strcpy(parameters[count++], token);
        next();
        if (!take(",")) break;
    }
    expect(")");
    declare(made->text, count);
    depth++;
    for (int i = 0; i < count; i++) declare(parameters[i], -1);
    expect("{");
    add(made, block());
    close_scope();
    return made;
}

#include "passes.h"

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    if (!file) reject("no input");
    source[fread(source, 1, sizeof source - 1, file)] = 0;
    declare("print", -2);
    node *program = make(BLOCK, "{");
    next();
    while (type != END) add(program, function_or_variable());
    run_passes(program);
    return 0;
}
