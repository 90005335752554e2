/** The part of the TypeScript compiler API used here; the compiler ships with the editor, without its types. */
export type Compiler = {
  TypeFlags: Record<
    | "Any"
    | "Unknown"
    | "Undefined"
    | "Void"
    | "Never"
    | "Null"
    | "StringLike"
    | "StringLiteral"
    | "NumberLike"
    | "NumberLiteral"
    | "BooleanLike"
    | "BooleanLiteral"
    | "BigIntLike"
    | "ESSymbolLike",
    number
  >;
  SymbolFlags: Record<"Alias" | "Optional" | "TypeAlias", number>;
  IndexKind: Record<"String", number>;
  SyntaxKind: Record<
    | "AsteriskToken"
    | "AsteriskAsteriskToken"
    | "BinaryExpression"
    | "CallExpression"
    | "ElementAccessExpression"
    | "ExclamationToken"
    | "ForOfStatement"
    | "GreaterThanEqualsToken"
    | "GreaterThanToken"
    | "Identifier"
    | "LessThanEqualsToken"
    | "LessThanToken"
    | "MinusToken"
    | "ObjectBindingPattern"
    | "PercentToken"
    | "PrefixUnaryExpression"
    | "PropertyAccessExpression"
    | "QuestionQuestionToken"
    | "SlashToken"
    | "StringLiteral"
    | "TemplateSpan"
    | "VariableDeclaration",
    number
  >;
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
  displayPartsToString(parts: readonly unknown[]): string;
};

export type Program = {
  getSourceFile(name: string): Node | undefined;
  getTypeChecker(): Checker;
};

type Node = { readonly fileName: string };

/** A node of the syntax tree, with the members that some kinds have. */
export type SyntaxNode = {
  readonly kind: number;
  readonly parent?: SyntaxNode;
  readonly text?: string;
  readonly name?: SyntaxNode;
  /** The type annotation. */
  readonly type?: SyntaxNode;
  readonly propertyName?: SyntaxNode;
  readonly expression?: SyntaxNode;
  readonly argumentExpression?: SyntaxNode;
  readonly initializer?: SyntaxNode;
  readonly elements?: readonly SyntaxNode[];
  readonly dotDotDotToken?: unknown;
  readonly left?: SyntaxNode;
  readonly right?: SyntaxNode;
  readonly operatorToken?: SyntaxNode;
  readonly operator?: number;
};

export type Symbol = {
  readonly name: string;
  readonly flags: number;
  readonly declarations?: readonly (SyntaxNode & { getSourceFile(): Node })[];
  getDocumentationComment(checker: Checker): readonly unknown[];
  getJsDocTags(checker: Checker): readonly { name: string; text?: readonly unknown[] }[];
};

export type Type = {
  readonly flags: number;
  readonly value?: unknown;
  readonly types?: readonly Type[];
  readonly symbol?: Symbol;
  readonly aliasSymbol?: Symbol;
  readonly target?: {
    readonly fixedLength?: number;
    readonly hasRestElement?: boolean;
    readonly minLength?: number;
  };
  getCallSignatures(): readonly Signature[];
  isUnion(): boolean;
  isIntersection(): boolean;
};

type Signature = { getParameters(): readonly Symbol[]; getReturnType(): Type };

export type Checker = {
  getSymbolAtLocation(node: Node | SyntaxNode): Symbol | undefined;
  getTypeAtLocation(node: SyntaxNode): Type;
  getContextualType(node: SyntaxNode): Type | undefined;
  getExportsOfModule(symbol: Symbol): readonly Symbol[];
  getAliasedSymbol(symbol: Symbol): Symbol;
  getSymbolsInScope(node: Node, flags: number): readonly Symbol[];
  getDeclaredTypeOfSymbol(symbol: Symbol): Type;
  getTypeOfSymbolAtLocation(symbol: Symbol, node: Node): Type;
  getAwaitedType(type: Type): Type | undefined;
  getPropertiesOfType(type: Type): readonly Symbol[];
  getIndexInfosOfType(type: Type): readonly { readonly type: Type }[];
  getTypeArguments(type: Type): readonly Type[];
  isArrayType(type: Type): boolean;
  isTupleType(type: Type): boolean;
  typeToString(type: Type): string;
};

/** The context in which a module is read. */
export type ReadContext = { ts: Compiler; checker: Checker; file: Node };
