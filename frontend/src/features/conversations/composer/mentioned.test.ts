import { expect, test } from 'vitest'
import { type Colleague, mentionable, mentionedIn, namedLike, typedName } from './mentioned.ts'

const colleague = (userId: string, name: string, role: Colleague['role'] = 'agent'): Colleague => ({
  userId,
  name,
  role,
})
const ann = colleague('ann', 'Ann Stone', 'owner')
const anna = colleague('anna', 'Ann Stonehouse')
const zoe = colleague('zoe', 'Zoë Šimić')
const vic = colleague('vic', 'Vic', 'viewer')
const all = [ann, anna, zoe, vic]

test.each([
  ['Please @zo', 'zo'],
  ['@', ''],
  ['(@Ann St', 'Ann St'],
  ['mail me@home', undefined],
  ['@Ann\nand', undefined],
  ['no sign', undefined],
])('%j has begun a name: %j', (text, typed) => {
  expect(typedName(text)).toBe(typed)
})

test('names are found by the beginnings of their words, without accents', () => {
  expect(namedLike(all, 'zoe')).toEqual([zoe])
  expect(namedLike(all, 'simi')).toEqual([zoe])
  expect(namedLike(all, 'ann stone')).toEqual([ann, anna])
  expect(namedLike(all, '')).toEqual(all)
  expect(namedLike(all, 'tone')).toEqual([])
})

test('a text mentions whole names, the longest that stands there, and of two with one name the chosen one', () => {
  expect(mentionedIn('@Ann Stonehouse, see this', all, {})).toEqual(['anna'])
  expect(mentionedIn('@Ann Stone and @Zoë Šimić!', all, {})).toEqual(['ann', 'zoe'])
  expect(mentionedIn('@Ann Stonew', all, {})).toEqual([])
  expect(mentionedIn('Ann Stone', all, {})).toEqual([])
  const twins = [colleague('one', 'Jo'), colleague('two', 'Jo')]
  expect(mentionedIn('@Jo', twins, {})).toEqual(['one', 'two'])
  expect(mentionedIn('@Jo', twins, { Jo: 'two' })).toEqual(['two'])
})

test('only who sees the conversation and may write is offered, and never oneself', () => {
  const offered = (kind: 'member' | 'nobody' | 'bot', id: string | undefined, agentSees: 'all' | 'own') =>
    mentionable(all, { owner: { kind, id } }, { agentSees, ownId: 'ann' }).map(({ userId }) => userId)
  expect(offered('member', 'zoe', 'all')).toEqual(['anna', 'zoe'])
  expect(offered('member', 'zoe', 'own')).toEqual(['zoe'])
  expect(offered('nobody', undefined, 'own')).toEqual(['anna', 'zoe'])
  expect(offered('bot', 'bot-1', 'own')).toEqual([])
})
