import type { Connection } from 'mongoose'

/** As `\p{Script=…}` of these scripts, which are written without spaces. */
const unspaced = String.raw`[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}]`
const maxPartLength = 20
const maxWords = 120

/** The words of a field, and what begins at each letter of those that are not parted. */
const withParts = (field: string) => {
  const parts = {
    $map: {
      input: { $range: [0, { $strLenCP: '$$word' }] },
      as: 'place',
      in: { $substrCP: ['$$word', '$$place', maxPartLength] },
    },
  }
  const ofWord = { $cond: [{ $regexMatch: { input: '$$word', regex: unspaced } }, parts, []] }
  const all = {
    $reduce: {
      input: { $map: { input: field, as: 'word', in: ofWord } },
      initialValue: field,
      in: { $concatArrays: ['$$value', { $setDifference: ['$$this', '$$value'] }] },
    },
  }
  return { $slice: [all, maxWords] }
}

/** Contacts are found by the last digits of their number, and by any part of a name that is written without spaces. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const contacts = db.collection('contacts')
  const end = (count: number) => ({ $substrCP: ['$phone', { $subtract: [{ $strLenCP: '$phone' }, count] }, count] })
  await contacts.updateMany({ phone: /^\+\d{4}/, live: true }, [
    { $set: { grams: { $setUnion: ['$grams', [end(3), end(2), end(1)]] } } },
  ])
  await contacts.updateMany({ words: { $regex: unspaced } }, [{ $set: { words: withParts('$words') } }])
  await db
    .collection('conversations')
    .updateMany({ 'search.words': { $regex: unspaced } }, [{ $set: { 'search.words': withParts('$search.words') } }])
}
