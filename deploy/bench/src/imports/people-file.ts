import { importLimits } from '@parley/contracts/imports'
import { personAt } from '../seed/people.ts'

const atOnce = 10_000
const cities = ['Pune', 'Delhi', 'Chennai', 'Kochi', 'Jaipur']

/**
 * A CSV file of people as a shop would export it.
 * @param from the place of the first one: whoever is seeded with it has the same phone number.
 * @throws where it is larger than one import may be.
 */
export function peopleFile({ from, count }: { from: number; count: number }): Uint8Array<ArrayBuffer> {
  const now = new Date()
  const parts = [Buffer.from('Name,Phone,Tags,City\n')]
  for (let start = 0; start < count; start += atOnce) {
    const lines = Array.from({ length: Math.min(atOnce, count - start) }, (_, place) => {
      const index = from + start + place
      const { name, phone, tags } = personAt(index, now)
      return `${name},${phone},"${tags.join(',')}",${cities[index % cities.length]}\n`
    })
    parts.push(Buffer.from(lines.join('')))
  }
  const file = new Uint8Array(Buffer.concat(parts))
  if (count > importLimits.rows || file.length > importLimits.bytes)
    throw new Error(`${count} rows of ${file.length} bytes are more than one import may have`)
  return file
}
