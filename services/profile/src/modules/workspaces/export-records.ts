import type { profileExportFiles } from '@parley/contracts/account/workspace-export'
import {
  type ExportedCollection,
  exportAnswer,
  exportedRecords,
  jsonLines,
} from '@parley/service-kit/data/export-workspace'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ServiceContext, scopeOf } from '@parley/service-kit/http/context'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import type { ProfileService } from '../profile/profile.service.ts'
import type { WorkspacesRepository } from './workspaces.repository.ts'

type File = (typeof profileExportFiles)[number]

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly workspaces: Pick<WorkspacesRepository, 'find' | 'everybody'>
  readonly personOf: ProfileService['personOf']
  /** The audit log with its chain, as its own export writes it. */
  readonly auditLines: (scope: WorkspaceScope) => AsyncIterable<string>
}

const invitations: ExportedCollection = {
  collection: 'invitations',
  fields: ['email', 'role', 'state', 'invitedBy', 'expiresAt', 'sentAt', 'createdAt'],
}
const apiKeys: ExportedCollection = {
  collection: 'apiKeys',
  fields: [
    ...['publicId', 'name', 'scopes', 'numbers', 'networks', 'expiresAt', 'createdBy', 'createdAt'],
    ...['revokedAt', 'replacedBy', 'lastUsedAt'],
  ],
}

/** Writes the files of an export that are about people: the workspace itself, who is in it, and what was done. */
export function createExportOf({ mongo, workspaces, personOf, auditLines }: Dependencies) {
  const lines: Readonly<Record<File, (scope: WorkspaceScope) => AsyncIterable<string>>> = {
    workspace: (scope) => jsonLines(itself(scope)),
    members: (scope) => jsonLines(members(scope)),
    invitations: (scope) => jsonLines(exportedRecords(mongo, scope, invitations)),
    'api-keys': (scope) => jsonLines(exportedRecords(mongo, scope, apiKeys)),
    'audit-log': auditLines,
  }

  async function* itself(scope: WorkspaceScope) {
    const found = await workspaces.find(scope)
    if (!found) return
    const { id, name, email, phone, createdAt } = found
    yield { id, name, email, phone, createdAt }
  }

  async function* members(scope: WorkspaceScope) {
    for await (const { id, userId, role, status = 'active', createdAt } of workspaces.everybody(scope)) {
      const { name, email } = await personOf(userId)
      yield { id, userId, name, email, role, status, createdAt }
    }
  }

  return (ctx: ServiceContext, file: File): FileAnswer => exportAnswer(file, lines[file](scopeOf(ctx)))
}
