import { setTimeout as wait } from 'node:timers/promises'
import type { CompleteDraft } from '@parley/contracts/campaigns/campaign-fields'
import { isFileHeader, recipientFileProblems } from '@parley/contracts/campaigns/recipient-files'
import { countOf } from '@parley/contracts/core/english-format'
import { headerFiles } from '@parley/contracts/templates/template-headers'
import { isNameable } from '@parley/flow/template-values'
import { errors } from '@parley/service-kit/core/errors'
import { inspectUpload } from '@parley/service-kit/media/inspect-upload'
import { classifyError } from '../../../whatsapp/error-classes.ts'
import { requirePlayable } from '../../../whatsapp/playable.ts'
import type { FetchFile } from '../../outbound/recipient-files/fetch-file.ts'
import { type FileFault, faultOf } from '../../outbound/recipient-files/file-faults.ts'
import type { CampaignRecord, FrozenTemplate } from '../campaigns.model.ts'
import type { Tallies } from '../recipients/recipients.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import type { ReviewResult } from './drafts.model.ts'

/** Addresses that a review fetches, and how many at the same time. */
const maxChecked = 12
const atOnce = 4
/** Milliseconds for one of them, and for all. */
const fetchMs = 5000
const maxMs = 12_000

interface Draft {
  readonly id: string
  readonly workspaceId: string
  readonly template: FrozenTemplate
  readonly recipientFile?: CampaignRecord['recipientFile']
}

/** Looks at a few of the files that recipients of a draft would get: their beginning, and their size as far as it is told. */
export function createFileChecks({
  recipients,
  fetchFile,
}: {
  recipients: Pick<RecipientsRepository, 'countFiles' | 'sampleFiles'>
  fetchFile: FetchFile
}) {
  async function faultAt(address: string, kind: 'image' | 'video' | 'document'): Promise<FileFault | undefined> {
    const { bytes: limitBytes, types: accept } = headerFiles[kind]
    try {
      await fetchFile(address, { limitBytes, timeoutMs: fetchMs }, async ({ body }) => {
        const { content } = await inspectUpload({ content: body, accept, limitBytes, check: requirePlayable(kind) })
        content.destroy()
      })
      return undefined
    } catch (error) {
      const fault = faultOf(error)
      if (!fault) throw error
      return fault
    }
  }

  return async function checkFiles(draft: Draft, tallies: Tallies) {
    const kind = draft.template.headerMedia?.kind
    if (!draft.recipientFile || !isFileHeader(kind)) return undefined
    const scope = { workspaceId: draft.workspaceId }
    const [distinct, sample] = await Promise.all([
      recipients.countFiles(scope, draft.id),
      recipients.sampleFiles(scope, draft.id, maxChecked),
    ])
    const queue = [...sample]
    const found: { address: string; fault: FileFault | undefined }[] = []
    const until = Date.now() + maxMs
    const next = async (): Promise<void> => {
      for (let address = queue.shift(); address !== undefined && Date.now() < until; address = queue.shift())
        found.push({ address, fault: await faultAt(address, kind) })
    }
    // Those that are still on their way then are not counted.
    await Promise.race([Promise.all(Array.from({ length: atOnce }, next)), wait(maxMs, undefined, { ref: false })])
    const faults = Map.groupBy(
      found.flatMap(({ address, fault }) => (fault ? [{ address, fault }] : [])),
      ({ fault }) => fault.code,
    )
    return {
      distinct,
      withoutAddress: tallies['skipped no_file'] ?? 0,
      invalidAddress: tallies['skipped bad_file_address'] ?? 0,
      checked: found.length,
      faults: [...faults].map(([code, [first, ...others]]) => ({
        title: classifyError(code).title,
        count: others.length + 1,
        example: first?.address ?? '',
        detail: first?.fault.message ?? '',
      })),
    }
  }
}

/** Checks the file of each recipient, unless the template has a header that is no file. @throws `validation_failed`. */
export function checkRecipientFile(
  { headerMedia }: Pick<FrozenTemplate, 'headerMedia'>,
  { recipientFile }: Pick<CompleteDraft, 'recipientFile'>,
): void {
  if (!recipientFile || !isFileHeader(headerMedia?.kind)) return
  const problems = Object.entries(recipientFileProblems(recipientFile))
  const unknown = [
    ...(recipientFile.from === 'field' ? [recipientFile.field] : []),
    ...Object.values(recipientFile.fields),
  ]
    .filter((field) => field !== '' && !isNameable(field))
    .map((field): [string, string] => ['fields', `Contacts have no field ${field}.`])
  const found = [...unknown, ...problems].map(([path, problem]) => [`recipientFile.${path}`, problem])
  if (found.length > 0) throw errors.validation(Object.fromEntries(found))
}

type Files = NonNullable<ReviewResult['files']>

/** Returns what keeps a draft from being sent, and what a member has to confirm. */
export function judgeFiles(files: Files | undefined) {
  if (!files) return { problems: [], warnings: [] }
  const { checked, faults, withoutAddress, invalidAddress } = files
  const faulty = faults.reduce((sum, { count }) => sum + count, 0)
  const [worst] = faults
  if (worst && faulty === checked) {
    const message = `${faultyOf(files, checked)} ${worst.title}: ${worst.example.slice(0, 300)}`
    return { problems: [{ code: 'files_unreachable' as const, message: message.slice(0, 500) }], warnings: [] }
  }
  const sentences = [
    ...(faulty > 0 ? [faultyOf(files, faulty)] : []),
    ...(withoutAddress > 0 ? [`Left out for want of a value for the address: ${countOf(withoutAddress)}.`] : []),
    ...(invalidAddress > 0 ? [`Left out because their address is not valid: ${countOf(invalidAddress)}.`] : []),
  ]
  return {
    problems: [],
    warnings: sentences.length > 0 ? [{ code: 'files_faulty' as const, message: sentences.join(' ') }] : [],
  }
}

/** Says how many files cannot be sent: of all, or of those that were looked at. */
function faultyOf({ checked, distinct }: Pick<Files, 'checked' | 'distinct'>, faulty: number): string {
  if (checked < distinct) {
    const none = checked === 1 ? 'it cannot be sent' : 'none of these can be sent'
    const some = `${countOf(faulty)} of these cannot be sent`
    return `Parley has looked at ${countOf(checked)} of the ${countOf(distinct)} files: ${faulty === checked ? none : some}.`
  }
  if (faulty < checked) return `${countOf(faulty)} of the ${countOf(checked)} files cannot be sent.`
  return checked === 1 ? 'The file cannot be sent.' : `None of the ${countOf(checked)} files can be sent.`
}
