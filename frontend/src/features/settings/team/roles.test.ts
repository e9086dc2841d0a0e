import { can, permissions } from '@parley/contracts/account/permissions'
import { expect, test } from 'vitest'
import { roleChoices, roleWords } from './roles.ts'

test('what is said of each role is what the table of permissions allows', () => {
  expect(permissions.every((permission) => can('owner', permission))).toBe(true)
  const beyondAdmin = permissions.filter((permission) => !can('admin', permission))
  expect(beyondAdmin.map((permission) => permission.split(':')[0]).sort()).toEqual([
    'approvals',
    'audit',
    'billing',
    'workspace',
    'workspace',
    'workspace',
  ])
  for (const permission of ['conversations:write', 'contacts:write', 'campaigns:write'] as const)
    expect(can('agent', permission)).toBe(true)
  for (const permission of ['campaigns:send', 'contacts:delete', 'workspace:write', 'members:invite'] as const)
    expect(can('agent', permission)).toBe(false)
  expect(permissions.filter((permission) => can('viewer', permission) && !permission.endsWith(':read'))).toEqual([])
})

test('nobody is offered a role above their own', () => {
  expect(roleChoices('owner').map(({ value }) => value)).toEqual(['owner', 'admin', 'agent', 'viewer'])
  expect(roleChoices('admin').map(({ value }) => value)).toEqual(['admin', 'agent', 'viewer'])
  expect(roleWords.agent.label).toBe('Agent')
})
