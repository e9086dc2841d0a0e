/** Combining marks of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs. Vowels of Hindi, Tamil or Thai are letters. */
const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u064b-\u065f\u0670]/g
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ı: 'i',
}
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Folds a text for search: lower case, without accents. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(marks, '')
    .replaceAll(special, (letter) => letters[letter] ?? letter)
    .normalize('NFC')
