/** The fields of `Fields` that can be undefined become optional ones. */
export type Given<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
};

/** Leaves out what was not given, since the proxy's JSON knows absent and null but not undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  // True because exactly the undefined ones are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}
