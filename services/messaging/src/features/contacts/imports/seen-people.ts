/**
 * The lines on which a file has named phone numbers. A million of them take 24 MiB, outside of the heap; in a `Map` they would
 * take two and a half times as much, and its garbage as it grows comes on top.
 */
class PhoneLines {
  #size = 0
  /** Open addressing: at most half of the places are taken, 0 is a free one. */
  #phones = new Float64Array(2 ** 12)
  #lines = new Uint32Array(2 ** 12)

  /** @param phone its digits as a number: E.164 has at most 15. */
  get(phone: number): number | undefined {
    const place = placeOf(phone, this.#phones)
    return this.#phones[place] === phone ? this.#lines[place] : undefined
  }

  /** Of a number that is not there yet. */
  add(phone: number, line: number): void {
    if (this.#size * 2 >= this.#phones.length) this.#grow()
    const place = placeOf(phone, this.#phones)
    this.#phones[place] = phone
    this.#lines[place] = line
    this.#size += 1
  }

  #grow(): void {
    const [phones, lines] = [this.#phones, this.#lines]
    this.#phones = new Float64Array(phones.length * 2)
    this.#lines = new Uint32Array(phones.length * 2)
    for (let from = 0; from < phones.length; from += 1) {
      const phone = phones[from] ?? 0
      if (phone === 0) continue
      const place = placeOf(phone, this.#phones)
      this.#phones[place] = phone
      this.#lines[place] = lines[from] ?? 0
    }
  }
}

/** Where a number is, or would be. */
function placeOf(phone: number, phones: Float64Array): number {
  const mask = phones.length - 1
  // Knuth’s multiplicative hash of both halves: numbers of one country begin alike and often follow one another.
  let place = (Math.imul((phone % 2 ** 32) ^ (phone / 2 ** 32), 0x9e3779b1) >>> 8) & mask
  while (phones[place] !== 0 && phones[place] !== phone) place = (place + 1) & mask
  return place
}

/** Whom a file has had so far, and on which line. */
export interface SeenPeople {
  readonly phones: PhoneLines
  readonly userIds: Map<string, number>
}

export const nobodySeen = (): SeenPeople => ({ phones: new PhoneLines(), userIds: new Map() })
