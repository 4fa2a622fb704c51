//! Which nodes declare names and which are scopes, one row per language.
//!
//! A declaration is a kind of node, with the field that holds the name; without a field it is the first name in it. The
//! kinds are those of the tree-sitter grammars.

use super::DeclarationKind::{
    self, Field, Function, Label, Macro, Namespace, Parameter, Type, TypeParameter, Variable,
};

/// What declares names in a language.
pub(crate) struct Table {
    /// The names of its grammars.
    pub(crate) grammars: &'static [&'static str],
    /// Kinds of nodes with the field that holds the name.
    pub(crate) declarations: &'static [(&'static str, Option<&'static str>, DeclarationKind)],
    /// Kinds of nodes within which names are declared.
    pub(crate) scopes: &'static [&'static str],
}

const NAME: Option<&str> = Some("name");
const DECLARATOR: Option<&str> = Some("declarator");
const PATTERN: Option<&str> = Some("pattern");
const LEFT: Option<&str> = Some("left");
const ALIAS: Option<&str> = Some("alias");

pub(crate) const TABLES: &[Table] = &[
    Table {
        grammars: &["c", "cpp", "cuda", "objc", "glsl", "hlsl"],
        declarations: &[
            ("preproc_def", NAME, Macro),
            ("preproc_function_def", NAME, Macro),
            ("function_definition", DECLARATOR, Function),
            ("declaration", DECLARATOR, Variable),
            ("type_definition", DECLARATOR, Type),
            ("alias_declaration", NAME, Type),
            ("field_declaration", DECLARATOR, Field),
            ("parameter_declaration", DECLARATOR, Parameter),
            ("optional_parameter_declaration", DECLARATOR, Parameter),
            ("enumerator", NAME, Variable),
            ("struct_specifier", NAME, Type),
            ("union_specifier", NAME, Type),
            ("class_specifier", NAME, Type),
            ("enum_specifier", NAME, Type),
            ("namespace_definition", NAME, Namespace),
            ("type_parameter_declaration", None, TypeParameter),
            ("optional_type_parameter_declaration", NAME, TypeParameter),
            ("labeled_statement", Some("label"), Label),
        ],
        scopes: &[
            "function_definition",
            "compound_statement",
            "for_statement",
            "template_declaration",
            "namespace_definition",
            "field_declaration_list",
            "lambda_expression",
        ],
    },
    Table {
        grammars: &["rust"],
        declarations: &[
            ("macro_definition", NAME, Macro),
            ("mod_item", NAME, Namespace),
            ("struct_item", NAME, Type),
            ("union_item", NAME, Type),
            ("enum_item", NAME, Type),
            ("trait_item", NAME, Type),
            ("type_item", NAME, Type),
            ("associated_type", NAME, Type),
            ("enum_variant", NAME, Variable),
            ("field_declaration", NAME, Field),
            ("const_item", NAME, Variable),
            ("static_item", NAME, Variable),
            ("function_item", NAME, Function),
            ("function_signature_item", NAME, Function),
            ("type_parameter", NAME, TypeParameter),
            ("const_parameter", NAME, TypeParameter),
            ("parameter", PATTERN, Parameter),
            ("let_declaration", PATTERN, Variable),
        ],
        scopes: &["function_item", "block", "impl_item", "trait_item", "mod_item", "struct_item", "closure_expression"],
    },
    Table {
        grammars: &["java"],
        declarations: &[
            ("class_declaration", NAME, Type),
            ("interface_declaration", NAME, Type),
            ("enum_declaration", NAME, Type),
            ("record_declaration", NAME, Type),
            ("enum_constant", NAME, Field),
            ("method_declaration", NAME, Function),
            ("variable_declarator", NAME, Variable),
            ("formal_parameter", NAME, Parameter),
            ("type_parameter", None, TypeParameter),
        ],
        scopes: &["class_declaration", "method_declaration", "block", "for_statement", "lambda_expression"],
    },
    Table {
        grammars: &["c_sharp"],
        declarations: &[
            ("namespace_declaration", NAME, Namespace),
            ("class_declaration", NAME, Type),
            ("struct_declaration", NAME, Type),
            ("interface_declaration", NAME, Type),
            ("enum_declaration", NAME, Type),
            ("enum_member_declaration", NAME, Field),
            ("method_declaration", NAME, Function),
            ("local_function_statement", NAME, Function),
            ("property_declaration", NAME, Field),
            ("variable_declarator", NAME, Variable),
            ("parameter", NAME, Parameter),
            ("type_parameter", NAME, TypeParameter),
        ],
        scopes: &["namespace_declaration", "class_declaration", "method_declaration", "block", "for_statement"],
    },
    Table {
        grammars: &["go"],
        declarations: &[
            ("function_declaration", NAME, Function),
            ("method_declaration", NAME, Function),
            ("const_spec", NAME, Variable),
            ("var_spec", NAME, Variable),
            ("short_var_declaration", LEFT, Variable),
            ("type_spec", NAME, Type),
            ("type_alias", NAME, Type),
            ("field_declaration", NAME, Field),
            ("parameter_declaration", NAME, Parameter),
            ("type_parameter_declaration", NAME, TypeParameter),
        ],
        scopes: &["function_declaration", "method_declaration", "func_literal", "block", "for_statement"],
    },
    Table {
        grammars: &["javascript", "typescript", "tsx"],
        declarations: &[
            ("function_declaration", NAME, Function),
            ("generator_function_declaration", NAME, Function),
            ("method_definition", NAME, Field),
            ("class_declaration", NAME, Type),
            ("variable_declarator", NAME, Variable),
            ("arrow_function", Some("parameter"), Parameter),
            ("catch_clause", Some("parameter"), Parameter),
            ("required_parameter", PATTERN, Parameter),
            ("optional_parameter", PATTERN, Parameter),
            ("interface_declaration", NAME, Type),
            ("enum_declaration", NAME, Type),
            ("type_alias_declaration", NAME, Type),
            ("internal_module", NAME, Namespace),
            ("type_parameter", NAME, TypeParameter),
        ],
        scopes: &[
            "function_declaration",
            "function_expression",
            "arrow_function",
            "method_definition",
            "statement_block",
        ],
    },
    Table {
        grammars: &["python"],
        declarations: &[
            ("function_definition", NAME, Function),
            ("class_definition", NAME, Type),
            ("default_parameter", NAME, Parameter),
            ("typed_default_parameter", NAME, Parameter),
            ("typed_parameter", None, Parameter),
            ("assignment", LEFT, Variable),
            ("for_statement", LEFT, Variable),
            ("aliased_import", ALIAS, Namespace),
        ],
        scopes: &["function_definition", "class_definition", "lambda"],
    },
    Table {
        grammars: &["swift"],
        declarations: &[
            ("class_declaration", NAME, Type),
            ("protocol_declaration", NAME, Type),
            ("typealias_declaration", NAME, Type),
            ("function_declaration", NAME, Function),
            ("property_declaration", NAME, Variable),
            ("parameter", NAME, Parameter),
            ("enum_entry", NAME, Field),
            ("type_parameter", None, TypeParameter),
        ],
        scopes: &["class_declaration", "function_declaration", "function_body"],
    },
    Table {
        grammars: &["kotlin"],
        declarations: &[
            ("class_declaration", NAME, Type),
            ("object_declaration", NAME, Type),
            ("function_declaration", NAME, Function),
            ("variable_declaration", None, Variable),
            ("parameter", None, Parameter),
            ("class_parameter", None, Field),
            ("type_parameter", None, TypeParameter),
        ],
        scopes: &["class_declaration", "function_declaration", "block"],
    },
    Table {
        grammars: &["scala"],
        declarations: &[
            ("class_definition", NAME, Type),
            ("object_definition", NAME, Type),
            ("trait_definition", NAME, Type),
            ("function_definition", NAME, Function),
            ("val_definition", PATTERN, Variable),
            ("var_definition", PATTERN, Variable),
            ("class_parameter", NAME, Field),
            ("parameter", NAME, Parameter),
        ],
        scopes: &["class_definition", "object_definition", "trait_definition", "function_definition", "block"],
    },
    Table {
        grammars: &["php"],
        declarations: &[
            ("namespace_definition", NAME, Namespace),
            ("class_declaration", NAME, Type),
            ("interface_declaration", NAME, Type),
            ("trait_declaration", NAME, Type),
            ("function_definition", NAME, Function),
            ("method_declaration", NAME, Function),
            ("property_element", NAME, Field),
            ("simple_parameter", NAME, Parameter),
        ],
        scopes: &["class_declaration", "function_definition", "method_declaration"],
    },
    Table {
        grammars: &["ruby"],
        declarations: &[
            ("module", NAME, Namespace),
            ("class", NAME, Type),
            ("method", NAME, Function),
            ("singleton_method", NAME, Function),
            ("optional_parameter", NAME, Parameter),
            ("keyword_parameter", NAME, Parameter),
            ("assignment", LEFT, Variable),
        ],
        scopes: &["module", "class", "method", "singleton_method", "do_block", "block"],
    },
    Table {
        grammars: &["lua"],
        declarations: &[("function_declaration", NAME, Function), ("for_numeric_clause", NAME, Variable)],
        scopes: &["function_declaration", "function_definition", "block"],
    },
    Table {
        grammars: &["sql"],
        declarations: &[("column_definition", NAME, Field), ("cte", None, Type), ("relation", ALIAS, Variable)],
        scopes: &["create_table", "subquery", "cte"],
    },
    Table {
        grammars: &["smt2"],
        declarations: &[
            ("declare_const", NAME, Variable),
            ("declare_fun", NAME, Function),
            ("define_const", NAME, Variable),
            ("define_fun", NAME, Function),
            ("declare_sort", NAME, Type),
            ("define_sort", NAME, Type),
            ("sorted_var", NAME, Parameter),
            ("binding", NAME, Variable),
        ],
        scopes: &["define_fun", "let_term", "quantified_term"],
    },
    Table {
        grammars: &["llvm"],
        declarations: &[
            ("function_header", NAME, Function),
            ("argument", None, Parameter),
            ("global_global", None, Variable),
            ("label", None, Label),
        ],
        scopes: &["fn_define"],
    },
    Table {
        grammars: &["systemverilog"],
        declarations: &[
            ("module_declaration", NAME, Type),
            ("class_declaration", NAME, Type),
            ("package_declaration", NAME, Namespace),
            ("variable_decl_assignment", NAME, Variable),
            ("function_body_declaration", NAME, Function),
            ("task_body_declaration", NAME, Function),
            ("tf_port_item", NAME, Parameter),
        ],
        scopes: &["module_declaration", "class_declaration", "package_declaration", "function_body_declaration"],
    },
    Table {
        grammars: &["graphql"],
        declarations: &[
            ("fragment_definition", None, Function),
            ("object_type_definition", None, Type),
            ("input_object_type_definition", None, Type),
            ("field_definition", None, Field),
            ("variable_definition", None, Parameter),
        ],
        scopes: &["object_type_definition", "operation_definition"],
    },
];
