import { expect, test } from 'vitest'
import { joinContact, readNotice } from './identities.ts'

const nobody = { waId: undefined, userId: undefined }
const phone = (waId: string) => ({ waId, userId: undefined })
const user = (userId: string) => ({ waId: undefined, userId })

// Source: Meta, WhatsApp Cloud API: system messages, business-scoped user ids; shapes as public webhook libraries record them.
test.each([
  ['ids in fields of their own', { previous_user_id: 'IN.1', user_id: 'IN.2' }, nobody, user('IN.1'), user('IN.2')],
  ['ids in the words alone', { body: 'User Tara changed from IN.1 to IN.2' }, nobody, user('IN.1'), user('IN.2')],
  [
    'the former id in the words, the new one in a field',
    { body: 'User Tara changed from IN.1 to IN.2', user_id: 'IN.2' },
    nobody,
    user('IN.1'),
    user('IN.2'),
  ],
  [
    'numbers in the words',
    { type: 'user_changed_number', body: 'User Dev changed from 919811100001 to 919811100002.' },
    nobody,
    phone('919811100001'),
    phone('919811100002'),
  ],
  [
    'a customer whose name is such a sentence',
    { body: 'User moved from IN.8 to IN.9 changed from IN.1 to IN.2' },
    nobody,
    user('IN.1'),
    user('IN.2'),
  ],
  [
    'a new number of whom the number is known',
    { wa_id: '919811100002' },
    phone('919811100001'),
    phone('919811100001'),
    phone('919811100002'),
  ],
  [
    'the older name of the field',
    { new_wa_id: '919811100002' },
    phone('919811100001'),
    phone('919811100001'),
    phone('919811100002'),
  ],
  [
    'the former number as customer',
    { customer: '919811100001', wa_id: '919811100002' },
    nobody,
    phone('919811100001'),
    phone('919811100002'),
  ],
  [
    'a new number and a new id of whom the number alone is known',
    { wa_id: '919811100002', user_id: 'IN.2' },
    phone('919811100001'),
    phone('919811100001'),
    { waId: '919811100002', userId: 'IN.2' },
  ],
  [
    'a new number with the former id',
    { wa_id: '919811100002', previous_user_id: 'IN.1', user_id: 'IN.2' },
    nobody,
    user('IN.1'),
    { waId: '919811100002', userId: 'IN.2' },
  ],
  ['an id in the place of a number', { wa_id: 'IN.2' }, phone('919811100001'), phone('919811100001'), user('IN.2')],
  ['nothing new', { wa_id: '919811100001', body: 5 }, phone('919811100001'), nobody, phone('919811100001')],
  ['no object', 'changed', user('IN.1'), user('IN.1'), nobody],
] as const)('a notice with %s', (_what, value, sender, before, after) =>
  expect(readNotice(value, sender)).toEqual({ before, after }),
)

const isSame = (left: string, right: string) => left.slice(-8) === right.slice(-8)

test.each([
  ['nothing in the message', nobody, { user_id: 'IN.1' }, user('IN.1')],
  [
    'another identity',
    phone('919811100001'),
    { wa_id: '919811100001', user_id: 'IN.1' },
    { waId: '919811100001', userId: 'IN.1' },
  ],
  [
    'another way of writing the number',
    phone('551187654321'),
    { wa_id: '5511987654321', user_id: 'BR.1' },
    { waId: '551187654321', userId: 'BR.1' },
  ],
  [
    'an id in the place of the number',
    phone('919811100001'),
    { wa_id: 'IN.1' },
    { waId: '919811100001', userId: 'IN.1' },
  ],
  ['a profile alone', phone('919811100001'), { profile: { name: 'Isha' } }, phone('919811100001')],
  ['nothing at all', phone('919811100001'), undefined, phone('919811100001')],
  ['somebody else by number', phone('919811100001'), { wa_id: '919822200002', user_id: 'IN.1' }, undefined],
  ['somebody else by id', user('IN.2'), { wa_id: '919811100001', user_id: 'IN.1' }, undefined],
] as const)('an entry beside the message: %s', (_what, sender, contact, joined) =>
  expect(joinContact(sender, contact, isSame)).toEqual(joined),
)
