import type { Member } from '@parley/contracts/account/members'
import { dayMs, minuteMs, team } from './facts.ts'

const roles = ['owner', 'admin', 'agent'] as const

/** The team by id, in the order of names. */
export function createMembers(now: Date): Map<string, Member> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const members = team.map(({ id, name }, index): Member => {
    const joinedAt = before((420 - index * 90) * dayMs)
    return {
      id,
      createdAt: joinedAt,
      updatedAt: joinedAt,
      version: 1,
      userId: id.replace('member', 'user'),
      name,
      email: `${name.split(' ')[0]?.toLowerCase()}@chaiandco.example`,
      role: roles[index] ?? 'agent',
      status: 'active',
      lastSeenAt: before((3 + index * 40) * minuteMs),
    }
  })
  members.sort((left, right) => left.name.localeCompare(right.name))
  return new Map(members.map((member) => [member.id, member]))
}
