import type { Readable } from 'node:stream'
import { type AuditRow, auditInternalApi } from '@parley/contracts/account/audit'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { workspaceErasureApi } from '@parley/contracts/account/workspace-deletion'
import {
  automationExportFiles,
  type profileExportFiles,
  workspaceExportInternalApi,
} from '@parley/contracts/account/workspace-export'
import { errors } from '@parley/service-kit/core/errors'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import type { SigningKey } from '@parley/service-kit/core/internal-token-settings'
import { createServiceClient } from '@parley/service-kit/core/service-client'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskMembers, AskPeople } from './member-facts.ts'

type AutomationFile = (typeof automationExportFiles)[number]

/** Opens a file of an export that another service writes, as lines of JSON. @throws `service_unavailable`. */
export type OpenRecords = (
  scope: WorkspaceScope,
  file: AutomationFile | (typeof profileExportFiles)[number],
) => Promise<Readable>

/** A person waits for the answer, and the page gives up after 15 s. */
const timeoutMs = 5000

/** Connects a process of this service with profile, in its own name. `publicKeys` are what profile verifies it by. */
export async function connectProfile(
  process: 'messaging' | 'messaging-worker',
  config: {
    readonly INTERNAL_TOKEN_KEYS: readonly SigningKey[]
    readonly PROFILE_URL: string
    /** Set for a process that writes exports. */
    readonly AUTOMATION_URL?: string
    /** Set for a process that erases workspaces. */
    readonly CELL?: string | undefined
  },
) {
  const signer = await createInternalTokenSigner(process, config.INTERNAL_TOKEN_KEYS)
  const call = createServiceClient({ process, baseUrl: config.PROFILE_URL, audience: 'profile', signer, timeoutMs })
  const askMembers: AskMembers = async ({ workspaceId }, ids) => {
    const answer = await call(profileInternalApi.members, { query: { ids } }, { workspaceId }).catch(
      (cause: unknown) => {
        // A refusal by profile is no fault of the person's request: profile may be of a version that does not know the call.
        throw errors.serviceUnavailable(cause)
      },
    )
    return answer.items
  }
  const askPeople: AskPeople = ({ workspaceId }) =>
    call(profileInternalApi.people, {}, { workspaceId }).catch((cause: unknown) => {
      throw errors.serviceUnavailable(cause)
    })
  const deliverAudit = (workspaceId: string, entries: readonly AuditRow[]): Promise<void> =>
    call(auditInternalApi.receive, { body: { entries: [...entries] } }, { workspaceId })
  const erasures = {
    due: async () => (await call(workspaceErasureApi.due, { query: { cell: config.CELL } })).workspaceIds,
    report: (workspaceId: string, removed: number) =>
      call(workspaceErasureApi.report, { params: { id: workspaceId }, body: { removed } }),
  }
  const { AUTOMATION_URL: baseUrl = '' } = config
  const askAutomation = createServiceClient({ process, baseUrl, audience: 'automation', signer, timeoutMs })
  const openRecords: OpenRecords = ({ workspaceId }, file) =>
    isOfAutomation(file)
      ? askAutomation.stream(workspaceExportInternalApi.automationRecords, { params: { file } }, { workspaceId })
      : call.stream(workspaceExportInternalApi.profileRecords, { params: { file } }, { workspaceId })
  return { askMembers, askPeople, deliverAudit, openRecords, erasures, publicKeys: signer.publicKeys }
}

const isOfAutomation = (file: string): file is AutomationFile => automationExportFiles.some((name) => name === file)
