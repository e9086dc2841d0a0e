import { numbersApi, type WhatsAppNumber } from '@parley/contracts/numbers'
import type { Story } from '@parley/sample/story'
import { answer, refusal, refuseStale } from '../answer.ts'
import { pageOf } from '../page-of.ts'

/** Stands in for the service that will own the numbers. */
export const answers = [
  answer(numbersApi.list, ({ query: { q = '', status, ...page } }, { numbers }) => {
    const wanted = q.toLowerCase()
    const found = [...numbers.values()].filter(
      (number) =>
        (!status || number.status === status) &&
        `${number.displayName} ${number.phoneNumber} ${number.phoneNumberId}`.toLowerCase().includes(wanted),
    )
    return pageOf(found, page)
  }),
  answer(numbersApi.connect, ({ body: { accessToken, ...body } }, { numbers }) => {
    refuseDuplicate(body, numbers)
    const now = new Date().toISOString()
    const number: WhatsAppNumber = {
      ...body,
      id: `number-${crypto.randomUUID()}`,
      createdAt: now,
      updatedAt: now,
      version: 1,
      status: 'pending',
      verificationStatus: 'pending',
      quality: 'unknown',
      messagesThisMonth: 0,
      messagingLimit: 250,
      throughputPerSecond: 80,
      accessToken: { set: true, last4: accessToken.slice(-4), updatedAt: now },
      webhook: { verified: false, lastEventAt: null },
      isDefault: numbers.size === 0,
    }
    numbers.set(number.id, number)
    return number
  }),
  answer(numbersApi.update, ({ params: { id }, body }, { numbers }) => {
    const number = find(numbers, id)
    refuseStale('number', number, body.version)
    const now = new Date().toISOString()
    if (body.isDefault)
      for (const other of numbers.values()) if (other.isDefault) numbers.set(other.id, { ...other, isDefault: false })
    const changed: WhatsAppNumber = {
      ...number,
      ...(body.displayName !== undefined && { displayName: body.displayName }),
      ...(body.isDefault && { isDefault: true }),
      ...(body.accessToken !== undefined && {
        accessToken: { set: true, last4: body.accessToken.slice(-4), updatedAt: now },
      }),
      version: number.version + 1,
      updatedAt: now,
    }
    numbers.set(id, changed)
    return changed
  }),
  answer(numbersApi.remove, ({ params: { id } }, { numbers }) => {
    const { isDefault } = find(numbers, id)
    numbers.delete(id)
    const next = [...numbers.values()].find(({ status }) => status === 'active') ?? numbers.values().next().value
    if (isDefault && next) numbers.set(next.id, { ...next, isDefault: true })
    return undefined
  }),
]

function find(numbers: Story['numbers'], id: string): WhatsAppNumber {
  const number = numbers.get(id)
  if (!number) throw refusal('not_found', 'This number is not connected any more.')
  return number
}

function refuseDuplicate(
  { phoneNumber, phoneNumberId }: Pick<WhatsAppNumber, 'phoneNumber' | 'phoneNumberId'>,
  numbers: Story['numbers'],
): void {
  for (const other of numbers.values()) {
    const message = `This is connected already, as ${other.displayName}.`
    if (other.phoneNumber === phoneNumber) throw refusal('number_exists', message, { phoneNumber: message })
    if (other.phoneNumberId === phoneNumberId) throw refusal('number_exists', message, { phoneNumberId: message })
  }
}
