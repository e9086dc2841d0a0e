import { zodResolver } from '@hookform/resolvers/zod'
import { uneditable } from '@parley/contracts/templates/template-edits'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import type { WarningRule } from '@parley/contracts/templates/template-findings'
import type { Template } from '@parley/contracts/templates/templates'
import { Button } from 'antd'
import { type FormEvent, useEffect, useState } from 'react'
import { type FieldPath, FormProvider, useForm } from 'react-hook-form'
import { ApiError } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useConflict } from '../../../lib/use-conflict.ts'
import { UploadsOfForm, useUploadsOfForm } from '../../../lib/use-upload.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { LeaveWarning } from '../../../ui/leave-warning.tsx'
import { toast } from '../../../ui/toast.ts'
import { useSaveTemplate } from '../api.ts'
import { useChangeDraft } from '../draft-api.ts'
import { AcceptWarnings, focusFirstOpen } from './accept-warnings.tsx'
import { AccountField } from './account-field.tsx'
import { Basics } from './basics.tsx'
import { DraftNote } from './draft-note.tsx'
import styles from './editor.module.css'
import { FindingsOfForm, useFindings } from './findings.tsx'
import { contentOf, type TemplateFormValues, templateFormSchema, writtenOf } from './form-values.ts'
import { RestoreOffer } from './restore-offer.tsx'
import { ReviewNote } from './review-note.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { Texts } from './texts.tsx'
import { useDraftSaving } from './use-draft-saving.ts'
import { WouldBreak } from './would-break.tsx'

const labels = {
  name: 'Name',
  language: 'Language',
  category: 'Category',
  header: 'Header',
  headerMedia: 'What stands above the message',
  authentication: 'Verification code',
  offer: 'Limited-time offer',
  body: 'Message',
  footer: 'Footer',
  buttons: 'Buttons',
  cards: 'Cards',
  examples: 'Sample values',
} as const

/** Fields beside which a refusal of the server's is said. */
const writtenFields = [
  'name',
  'category',
  'language',
  'header',
  'headerMedia',
  'body',
  'footer',
  'buttons',
  'cards',
] as const

const isWritten = (path: string): path is FieldPath<TemplateFormValues> =>
  writtenFields.some((name) => path === name || path.startsWith(`${name}.`))

/** The form of the editor with the preview beside it. `stored` is the template that it changes. */
export function TemplateForm({
  initial,
  stored,
  of,
  parameter,
  onCreated,
  onLeave,
}: {
  initial: TemplateFormValues
  stored?: Template
  /** The account of the template that this one is copied from. */
  of?: string | undefined
  /** Address parameter by which this editor is open. */
  parameter: 'new' | 'edit' | 'duplicate' | 'translate'
  /** A new template was saved as a draft: it is edited from now on. */
  onCreated: (id: string) => void
  onLeave: () => void
}) {
  const form = useForm<TemplateFormValues>({
    // Checked as it will be sent: with a sample, if only an empty one, for each variable in it.
    resolver: (values, of, options) => zodResolver(templateFormSchema)(contentOf(values), of, options),
    defaultValues: initial,
  })
  const { handleSubmit, setError, formState } = form
  const [saved, setSaved] = useState(false)
  /** Business account that it is for, where there is a choice. */
  const [accountId, setAccountId] = useState(of)
  /** A deleted template that has the name. */
  const [deleted, setDeleted] = useState<ApiError['body']['existing']>()
  const [accepted, setAccepted] = useState<WarningRule[]>([])
  /** Set after an attempt to send it with warnings that are not accepted. */
  const [isAsked, setAsked] = useState(false)
  const { findings, written, openNow } = useFindings(form, {
    templateId: stored?.id,
    accountId: stored ? undefined : accountId,
  })
  const { now } = useClock(0)
  const reason = stored && uneditable(stored, now)
  const conflict = useConflict({ form, record: stored, valuesOf: writtenOf, labels })
  const save = useSaveTemplate(conflict.seen)
  const draft = useChangeDraft('The draft could not be discarded. Try again.')
  // Done when the leave warning knows that everything is saved.
  useEffect(() => {
    if (saved) onLeave()
  }, [saved, onLeave])

  const discard = () => {
    if (!conflict.seen) return
    const { id, version } = conflict.seen
    draft.mutate(
      { id, version },
      {
        onSuccess: (template) => {
          form.reset(writtenOf(template))
          conflict.saved(template)
        },
      },
    )
  }

  const showRefusal = (error: Error) => {
    const current = staleRecord(error, templatesApi.update)
    if (current) return conflict.merge(current)
    toast.error(explain(error, 'The template could not be saved. What you wrote is still here.'))
    const { fields = {}, existing } = error instanceof ApiError ? error.body : {}
    setDeleted(existing)
    if (error instanceof ApiError && error.body.code === 'warnings_open') setAsked(true)
    const refused = Object.keys(fields).filter(isWritten)
    for (const [index, name] of refused.entries())
      setError(name, { message: fields[name] ?? '' }, { shouldFocus: index === 0 })
  }

  const keeping = useDraftSaving({
    form,
    seen: conflict.seen,
    accountId,
    onCreated,
    onSaved: conflict.saved,
    onRefused: showRefusal,
  })

  const send = handleSubmit((values) => {
    const open = openNow(accepted)
    setAsked(open.length > 0)
    if (open.length > 0) return setTimeout(() => focusFirstOpen(open))
    return save.mutate(
      { ...values, accountId, accepted },
      {
        onSuccess: ({ name }) => {
          toast.success(`${name} was sent for review`)
          setSaved(true)
        },
        onError: showRefusal,
      },
    )
  })

  const uploads = useUploadsOfForm({ send, saveDraft: keeping.save })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    uploads.whenUploaded('send')
  }

  return (
    <FormProvider {...form}>
      <form className={styles['form']} onSubmit={submit} noValidate>
        <ReviewNote stored={stored} />
        {stored?.draft && <DraftNote from={stored.draft.from} isPending={draft.isPending} onDiscard={discard} />}
        <ConflictNotice what="template" conflict={conflict} />
        <RestoreOffer deleted={deleted} onRestored={() => setSaved(true)} />
        <div className={styles['columns']}>
          <div className={styles['fields']}>
            <FindingsOfForm findings={findings}>
              <AccountField
                chosen={stored?.accountId ?? accountId}
                fixed={stored !== undefined || parameter === 'translate'}
                onChoose={setAccountId}
              />
              <Basics stored={stored} isTranslation={parameter === 'translate'} />
              <UploadsOfForm value={uploads.track}>
                <Texts />
              </UploadsOfForm>
            </FindingsOfForm>
            {stored && (formState.isDirty || stored.draft) && <WouldBreak templateId={stored.id} content={written} />}
            <AcceptWarnings findings={findings} accepted={accepted} isAsked={isAsked} onChange={setAccepted} />
          </div>
          <TemplatePreview />
        </div>
        <div className={styles['bar']}>
          {uploads.isWaiting && <p role="status">Waiting for the file: it is still being uploaded.</p>}
          <Button onClick={onLeave} disabled={save.isPending || keeping.isPending}>
            Cancel
          </Button>
          <Button
            onClick={() => uploads.whenUploaded('saveDraft')}
            loading={keeping.isPending}
            disabled={
              uploads.isWaiting ||
              !formState.isDirty ||
              save.isPending ||
              reason === 'disabled' ||
              reason === 'unsupported'
            }
          >
            Save draft
          </Button>
          <Button
            type="primary"
            htmlType="submit"
            loading={save.isPending || uploads.isWaiting}
            disabled={reason !== undefined || keeping.isPending}
          >
            {stored ? 'Send for review' : 'Create Template'}
          </Button>
        </div>
        <LeaveWarning active={formState.isDirty && !saved} what="this template" parameter={parameter} />
      </form>
    </FormProvider>
  )
}
