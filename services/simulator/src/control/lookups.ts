import type { BusinessNumber, Customer, Message } from '../records.ts'
import type { Simulator } from '../simulator.ts'
import { digitsOf } from '../world.ts'
import { ControlError } from './control-error.ts'

/** Creates lookups of the records that requests of the control API name. Each throws 404 where there is none. */
export function createLookups({ world }: Pick<Simulator, 'world'>) {
  function numberOf(id: string | undefined): BusinessNumber {
    const number = id === undefined ? [...world.numbers.values()].at(-1) : world.numbers.get(id)
    if (!number) throw new ControlError(404, 'There is no such business number.')
    return number
  }
  function customerOf(
    { from, user_id: id }: { from?: string | undefined; user_id?: string | undefined },
    name?: string,
  ): Customer {
    if (id !== undefined) {
      const customer = world.customers.get(id)
      if (!customer) throw new ControlError(404, 'There is no such customer.')
      return customer
    }
    const digits = digitsOf(from ?? '')
    if (digits.length < 7 || digits.length > 15) throw new ControlError(400, 'from: is not a phone number')
    return world.customerOf(digits, name)
  }
  function messageOf(id: string): { message: Message; number: BusinessNumber; customer: Customer } {
    const message = world.messages.get(id)
    const customer = message && world.customers.get(message.customerId)
    if (!message || !customer) throw new ControlError(404, 'There is no such message.')
    return { message, customer, number: numberOf(message.numberId) }
  }

  return { numberOf, customerOf, messageOf }
}
