/** Stands behind a switch over a union in a function that returns nothing: it does not compile where a case is missing. */
export function unreachable(_: never): never {
  throw new TypeError('a case that nobody handles')
}
