const firstNames = ['Priya', 'Rahul', 'Ananya', 'Meera', 'Ravi', 'José', 'Zoë', 'Søren', 'Łukasz', 'Amélie', 'Elena']
const syllables = [
  'sha',
  'ver',
  'iy',
  'jo',
  'shi',
  'me',
  'non',
  'pa',
  'tel',
  'gup',
  'ta',
  'na',
  'ir',
  'red',
  'dy',
  'kap',
]
/** Names in other scripts, for eight of a hundred people. */
const otherScripts = [
  'प्रिया शर्मा',
  'راهول فيرما',
  'Наталья Иванова',
  'Νίκος Παπάς',
  'דניאל כהן',
  'สมชาย ใจดี',
  '王小明',
  '김민준',
]
const tagShares: readonly (readonly [string, number])[] = [
  ['newsletter', 0.4],
  ['lead', 0.15],
  ['wholesale', 0.05],
  ['vip', 0.02],
]
const cities = 200
/** Has no divisor of a power of ten: every number below 10 ^ 8 leads to another one. */
const scattering = 61_803_399
const dayMs = 86_400_000

/** Returns what a workspace knows of a person. The same index gives the same person. */
export function personAt(index: number, now: Date) {
  const chance = chancesOf(index)
  const createdAt = new Date(now.getTime() - chance() * 700 * dayMs)
  const sinceThen = chance() * (now.getTime() - createdAt.getTime())
  return {
    name: nameOf(chance),
    phone: `+9198${String((index * scattering) % 1e8).padStart(8, '0')}`,
    tags: [
      ...tagShares.flatMap(([tag, share]) => (chance() < share ? [tag] : [])),
      ...(chance() < 0.1 ? [cityAt(chance() * cities)] : []),
    ],
    createdAt,
    lastContactAt: chance() < 0.9 ? new Date(createdAt.getTime() + sinceThen) : undefined,
  }
}

/** Tags that a person may carry. */
export const tagNames: readonly string[] = [
  ...tagShares.map(([tag]) => tag),
  ...Array.from({ length: cities }, (_, index) => cityAt(index)),
]

function cityAt(index: number): string {
  return `city ${Math.floor(index)}`
}

function nameOf(chance: () => number): string {
  if (chance() < 0.08) return oneOf(otherScripts, chance())
  // The first ones are the commonest: the commonest is the name of a sixth.
  const first = oneOf(firstNames, chance() ** 2)
  const last = Array.from({ length: 2 + Math.floor(chance() * 2) }, () => oneOf(syllables, chance())).join('')
  return `${first} ${last.charAt(0).toUpperCase()}${last.slice(1)}`
}

const oneOf = (values: readonly string[], share: number): string => values[Math.floor(share * values.length)] ?? ''

/** Numbers from 0 to 1 that look like chance, the same for the same start (mulberry32). */
export function chancesOf(start: number): () => number {
  let state = (start + 1) * 0x9e3779b1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
