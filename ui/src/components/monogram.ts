/**
 * Two letters for each name, where only two have room: its first two, or its first with a later one where another name
 * has those. Beginnings of words come before other letters. Names that leave no choice share theirs.
 */
export function monograms(names: string[]): Map<string, string> {
  const given = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of new Set(names)) {
    const letters = [...name]
    const rest = letters.slice(1).map((letter, at) => ({ letter, begins: !/[\p{L}\p{N}]/u.test(letters[at] ?? '') }))
    const later = [...rest.slice(0, 1), ...rest.filter((one) => one.begins), ...rest].filter((one) => /[\p{L}\p{N}]/u.test(one.letter))
    const wanted = later.map((one) => (letters[0] ?? '') + one.letter)
    const own = wanted.find((pair) => !taken.has(pair)) ?? wanted[0] ?? letters.slice(0, 2).join('')
    taken.add(own)
    given.set(name, own)
  }
  return given
}
