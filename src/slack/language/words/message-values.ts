/**
 * The names of the values that an ICU message takes: `{crew}`, `{count, plural, …}`. Each branch of a plural has a `#` or a
 * space in it, which tells it from a value; the test of the catalogues compares this with what the parser finds.
 */
export type ValueNames<Message extends string> = Message extends `${string}{${infer Rest}` ? NameAtStart<UpToBrace<Rest>> | ValueNames<Rest> : never;

type UpToBrace<Text extends string> = Text extends `${infer Start}{${string}` ? Start : Text;

type NameAtStart<Text extends string> = Text extends `${infer Inside}}${string}` ? Word<UpToComma<Inside>> : Word<UpToComma<Text>>;

type UpToComma<Text extends string> = Text extends `${infer Start},${string}` ? Start : Text;

type Word<Text extends string> = Text extends '' | `${string}${' ' | '#'}${string}` ? never : Text;

/** A part of the catalogue in another language: the same keys. */
export type Translated<Part> = Record<keyof Part, string>;
