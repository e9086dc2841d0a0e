import { expect, test } from 'vitest'
import { actionText, changeText } from './audit-labels.ts'

test.each([
  ['members.change', 'Changed the role of a member'],
  ['webhooks.remove', 'Deleted a webhook'],
  ['apiKeys.create', 'Created an API key'],
  ['invitations.revoke', 'Revoked an invitation'],
  ['workspace.update', 'Changed the workspace'],
  ['consent.record', 'Consent: record'],
  ['sendingHours.update', 'Changed the sending hours'],
  ['auth.signInFailed', 'Failed to sign in'],
])('%s reads "%s"', (action, text) => expect(actionText(action)).toBe(text))

test.each([
  [{ field: 'role', from: 'agent', to: 'viewer' }, 'role: agent → viewer'],
  [{ field: 'agentSees', to: 'own' }, 'agent sees: own'],
  [{ field: 'scopes', to: ['contacts:read', 'tags'] }, 'scopes: contacts:read, tags'],
  [{ field: 'name' }, 'name'],
])('a change %j reads "%s"', (change, text) => expect(changeText(change)).toBe(text))
