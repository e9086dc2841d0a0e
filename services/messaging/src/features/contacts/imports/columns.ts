import { type ImportColumn, type ImportTarget, singleTargets } from '@parley/contracts/imports'

const words: Record<Exclude<ImportTarget, 'attribute' | 'ignore'>, RegExp> = {
  phone:
    /^(phones?|mobiles?|whats ?app|cell|tel)\b|\b(phone|mobile|whats ?app|cell|tel(ephone)?|msisdn)( (no|number|nr|1|value))*$|^(number|wa id|contact (no|number))$/,
  user_id: /^(whats ?app )?user id$|^(bsuid|business scoped user id)$/,
  tags: /^(tags?|labels?|groups?|group membership|lists?)$/,
  consent: /^(marketing )?(consent|opt ?in|subscribed|marketing)( status)?$/,
  name: /^((full|display|customer|contact|client|first|given|last|family|sur|middle)[ ]?)?name$|^(contact|customer|surname)$/,
}
/** Columns of our own export that say what happened here, not what somebody knows. */
const ours = /^(last contact|added)( .*)?$/

/** Lower case, words parted by single spaces: `Phone 1 - Value` is `phone 1 value`. */
const plain = (header: string) =>
  header
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const looksLikePhone = (cell: string) =>
  /^['+(\d][\d\s().+-]{6,24}$/.test(cell.trim()) && cell.replace(/\D/g, '').length >= 7
const named = (header: string): ImportTarget | undefined =>
  (['user_id', 'phone', 'tags', 'consent', 'name'] as const).find((target) => words[target].test(plain(header)))

/** True where the first row names the columns: no phone number in it, and a name that we know or a number below. */
export function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...rest] = rows
  if (first.some(looksLikePhone)) return false
  return first.some((cell) => named(cell) !== undefined) || rest.some((row) => row.some(looksLikePhone))
}

/**
 * What each column most likely is: by its header, the phone also by what stands in it. Other columns that have a header
 * become attributes.
 * @param rows the first rows of the file, its header among them.
 */
export function guessColumns(rows: readonly (readonly string[])[], withHeader: boolean): ImportColumn[] {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const headers = withHeader ? rows[0] : undefined
  const data = withHeader ? rows.slice(1) : rows
  const samples = (place: number) =>
    data
      .map((row) => row[place]?.trim() ?? '')
      .filter(Boolean)
      .slice(0, 3)
      .map((cell) => cell.slice(0, 80))
  const byHeader = Array.from({ length: width }, (_, place) => targetOf(headers?.[place]))
  const firstPhone = byHeader.indexOf('phone')
  const phone = firstPhone === -1 ? byHeader.findIndex((_, place) => samples(place).some(looksLikePhone)) : firstPhone
  const hasName = byHeader.includes('name')
  const nameByContent = hasName
    ? -1
    : byHeader.findIndex((target, place) => {
        const cells = samples(place)
        const isFree = target === 'ignore' && !headers?.[place]
        return isFree && place !== phone && cells.length > 0 && cells.every((cell) => /\p{L}/u.test(cell))
      })
  return byHeader.map((_, place) => ({
    header: headers?.[place]?.trim().slice(0, 200) || `Column ${place + 1}`,
    samples: samples(place),
    target: place === phone ? 'phone' : place === nameByContent ? 'name' : only(byHeader, place),
  }))
}

/** There is one phone number, one user id, one list of tags and one consent: a second column of them is a detail. */
const only = (targets: readonly ImportTarget[], place: number): ImportTarget => {
  const target = targets[place] ?? 'ignore'
  if (target === 'phone') return 'attribute'
  const isTaken = singleTargets.some((single) => single === target) && targets.indexOf(target) !== place
  return isTaken ? 'attribute' : target
}

function targetOf(header: string | undefined): ImportTarget {
  const text = plain(header ?? '')
  if (text === '' || ours.test(text)) return 'ignore'
  return named(text) ?? 'attribute'
}
