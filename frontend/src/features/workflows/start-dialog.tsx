import type { Workflow } from '@parley/contracts/automation/workflows'
import { useQuery } from '@tanstack/react-query'
import { Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { segmentChoices } from '../../lib/choices/segments.ts'
import { explain } from '../../lib/explain.ts'
import { useStartRuns } from '../../lib/flow-jobs.ts'
import { counted } from '../../lib/format.ts'
import { ContactSelect } from '../../ui/contact-select.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import fields from '../../ui/field.module.css'
import { popupInside } from '../../ui/popup-inside.ts'
import { toast } from '../../ui/toast.ts'

const callOf = (origin: string, id: string) => `curl ${origin}/v1/workflows/${id}/runs \\
  -H "Authorization: Bearer $PARLEY_API_KEY" \\
  -H "Idempotency-Key: order-1042" \\
  -H "Content-Type: application/json" \\
  -d '{"action": {"kind": "contact", "contactId": "<id of the contact>"}}'`

/** Starts a workflow for a segment or one contact; the panel of runs shows how far it is. */
export function StartDialog({
  workflow: { id, name, status, publishedVersion, startsPerHour },
  open,
  onClose,
  onStarted,
}: {
  workflow: Workflow
  open: boolean
  onClose: () => void
  onStarted: () => void
}) {
  const field = useId()
  const [kind, setKind] = useState<'segment' | 'contact'>('segment')
  const [segmentId, setSegment] = useState<string>()
  const [contactId, setContact] = useState<string>()
  const segments = useQuery({ ...segmentChoices(), enabled: open })
  const { mutateAsync: start, isPending } = useStartRuns()
  const count = segments.data?.find((segment) => segment.id === segmentId)?.count ?? undefined
  const isReady = status === 'active' && publishedVersion !== undefined
  const action =
    kind === 'segment' ? segmentId !== undefined && { kind, segmentId } : contactId !== undefined && { kind, contactId }

  async function submit() {
    if (!action) return
    try {
      await start({ workflowId: id, action })
      onClose()
      onStarted()
    } catch (error) {
      toast.error(explain(error, `${name} could not be started. Try again.`))
    }
  }

  return (
    <FormDialog
      open={open}
      title={`Start ${name} by hand`}
      lead={
        isReady
          ? `Version ${publishedVersion} begins at the trigger “Started by hand”, else at its first trigger without asking its filter. Who takes part already is left out. Above ${counted(startsPerHour, 'start')} within an hour, further ones are held for you.`
          : 'Publish and start the workflow first: a paused one begins no runs.'
      }
      submitLabel={kind === 'segment' && count !== undefined ? `Start for ${counted(count, 'contact')}` : 'Start'}
      submitDisabled={!isReady || !action}
      pending={isPending}
      width={560}
      onSubmit={() => void submit()}
      onClose={onClose}
      onClosed={() => {
        setSegment(undefined)
        setContact(undefined)
      }}
    >
      <Radio.Group
        aria-label="For whom"
        value={kind}
        onChange={({ target }) => setKind(target.value)}
        options={[
          { value: 'segment', label: 'A segment' },
          { value: 'contact', label: 'One contact' },
        ]}
      />
      <div className={fields['field']}>
        <label htmlFor={field} className={fields['label']}>
          {kind === 'segment' ? 'Segment' : 'Contact'}
        </label>
        {kind === 'segment' ? (
          <Select
            id={field}
            {...(segmentId !== undefined && { value: segmentId })}
            placeholder="Choose a segment"
            loading={segments.isFetching}
            notFoundContent={segments.isLoadingError ? 'The segments could not be loaded' : 'No segments'}
            options={
              segments.data?.map((segment) => ({
                value: segment.id,
                label: segment.count === null ? segment.name : `${segment.name} · ${counted(segment.count, 'contact')}`,
              })) ?? []
            }
            onChange={setSegment}
            getPopupContainer={popupInside}
          />
        ) : (
          <ContactSelect id={field} value={contactId} onChange={setContact} />
        )}
      </div>
      <div className={fields['field']}>
        <span className={fields['label']}>From a program</span>
        <Copyable
          what="call"
          text={callOf(window.location.origin, id)}
          shown={`POST ${window.location.origin}/v1/workflows/${id}/runs`}
        />
        <p className={fields['hint']}>With an API key that may assign conversations, for one contact at a time.</p>
      </div>
    </FormDialog>
  )
}
