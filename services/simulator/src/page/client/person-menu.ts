import type { TemplateResult } from 'lit-html'
import { askText, phoneProblem, usernameOf, usernameProblem } from './dialog.ts'
import { phoneText } from './format.ts'
import { menuView } from './menu.ts'
import { change, numberInView, state } from './state.ts'
import type { Customer, Phone } from './types.ts'

/** Returns the menu of what a person can change about themselves and about the business. */
export function personMenu(phone: Phone, person: Customer): TemplateResult {
  const set = (fields: object) => () => change(`/customers/${encodeURIComponent(person.id)}`, fields, 'PATCH')
  const hasStopped = person.stopped.includes(numberInView()?.accountId ?? '')
  const hasBlocked = person.blocks.includes(state.numberId)
  const prefer = () =>
    change('/preference', {
      user_id: person.id,
      phone_number_id: state.numberId,
      value: hasStopped ? 'resume' : 'stop',
    })
  return menuView(phone, {
    label: `Settings of ${person.name}`,
    items: [
      { label: 'Phone is on', checked: person.online, run: set({ online: !person.online }) },
      {
        label: 'Read receipts',
        checked: person.reads !== 'never',
        run: set({ reads: person.reads === 'never' ? 'opened' : 'never' }),
      },
      { label: 'Takes offers', checked: !hasStopped, run: prefer },
      { label: 'Change the name', run: () => rename(person) },
      { label: 'Change the number', run: () => moveTo(person) },
      {
        label: 'Username instead of the number',
        checked: person.hidesPhone,
        run: person.hidesPhone ? set({ username: null, hidesPhone: false }) : () => nameAs(person),
      },
      {
        label: hasBlocked ? 'Unblock the business' : 'Block the business',
        isDangerous: !hasBlocked,
        run: set({ blocks: hasBlocked ? [] : [state.numberId] }),
      },
    ],
  })
}

const patch = (person: Customer, fields: object) =>
  change(`/customers/${encodeURIComponent(person.id)}`, fields, 'PATCH')

const rename = (person: Customer) =>
  askText({
    title: 'Change the name',
    label: 'Name that businesses see',
    value: person.name,
    check: (name) => (name ? undefined : 'Enter a name.'),
    save: (name) => patch(person, { name: name.slice(0, 120) }),
  })

const moveTo = (person: Customer) =>
  askText({
    title: 'Change the number',
    label: 'New phone number',
    value: phoneText(person.phone),
    hint: 'Every business this person has messaged is notified.',
    check: phoneProblem,
    save: (to) => change('/change-number', { user_id: person.id, to }),
  })

const nameAs = (person: Customer) =>
  askText({
    title: 'Use a username',
    label: 'Username',
    value: person.username ?? usernameOf(person.name),
    hint: 'Businesses see it instead of the number.',
    check: usernameProblem,
    save: (username) => patch(person, { username, hidesPhone: true }),
  })
