import type { Conversation } from '@parley/contracts/inbox/conversations'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import type { Template } from '@parley/contracts/templates/templates'
import { unsendableReason } from '@parley/contracts/templates/unsendable'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { numberChoices } from '../../../lib/choices/numbers.ts'
import { isOfAccount, templateChoices } from '../../../lib/choices/templates.ts'
import { previewedTemplate } from '../../../lib/previewed-template.ts'
import { choiceOf, choiceWithReason } from '../../../ui/choice-reason.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { VariableInput, variableLabel } from '../../../ui/variable-input.tsx'
import { useSending } from '../outbox/sending.ts'
import styles from './template-dialog.module.css'

/** Chooses an approved template, fills its placeholders and sends it: the way on when the window is closed. */
export function TemplateDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { data: all, isLoadingError, refetch } = useQuery(templateChoices())
  const { data: numbers } = useQuery(numberChoices())
  const accountId = numbers?.find(({ id }) => id === conversation.numberId)?.businessAccountId
  const reasonOf = (item: Template) => {
    if (!isOfAccount(item, accountId)) return 'It belongs to another account than this number'
    if (conversation.contact.optedOut && item.category === 'marketing') return 'They opted out of marketing'
    return unsendableReason(item)
  }
  const data = all?.filter((item) => reasonOf(item) === undefined)
  const choices = all?.map((item) => choiceOf({ value: item.id, label: item.name, reason: reasonOf(item) })) ?? []
  const send = useSending(conversation.id)
  const [chosenId, setChosenId] = useState<string>()
  const [values, setValues] = useState<Record<string, string>>({})
  const [tried, setTried] = useState(false)
  const id = useId()
  const template = data?.find((item) => item.id === chosenId) ?? data?.[0]
  const names = template ? templatePlaceholders(template) : []
  const wordsFor = (name: string) => values[name] ?? suggestion(template, name, conversation)
  const missing = names.filter((name) => wordsFor(name).trim() === '')
  const filled = Object.fromEntries(names.map((name) => [name, wordsFor(name).trim()]))
  const submit = () => {
    setTried(true)
    if (!template || missing.length > 0) return
    send.template(template, filled)
    onClose()
  }
  return (
    <FormDialog
      open
      title="Send a template"
      lead={`To ${conversation.contact.name}. ${leadOf(conversation)}`}
      submitLabel="Send template"
      pending={!data && !isLoadingError}
      onSubmit={submit}
      onClose={onClose}
    >
      {isLoadingError && <ErrorState message="The templates could not be loaded." onRetry={() => void refetch()} />}
      {!data && !isLoadingError && <SkeletonBar height="120px" />}
      {data && !template && <p>This number has no approved templates that may be sent to them.</p>}
      {choices.length > 0 && (
        <div className={styles['field']}>
          <label htmlFor={`${id}-template`}>Template</label>
          <Select
            id={`${id}-template`}
            value={template?.id}
            placeholder="None can be chosen here"
            onChange={(value) => {
              setChosenId(value)
              setValues({})
            }}
            options={choices.sort((one, other) => Number(one.disabled) - Number(other.disabled))}
            optionRender={choiceWithReason}
            showSearch={choices.length > 8 ? { optionFilterProp: 'label' } : false}
          />
        </div>
      )}
      {template && (
        <>
          {names.map((name) => (
            <div key={name} className={styles['field']}>
              <label htmlFor={`${id}-${name}`}>{variableLabel(name)}</label>
              <VariableInput
                id={`${id}-${name}`}
                variable={name}
                value={wordsFor(name)}
                status={tried && missing.includes(name) ? 'error' : ''}
                aria-invalid={(tried && missing.includes(name)) || undefined}
                onChange={(value) => setValues({ ...values, [name]: value })}
              />
              {tried && missing.includes(name) && <p className={styles['error']}>Enter a value for this variable.</p>}
            </div>
          ))}
          <MessagePreview message={previewedTemplate(template, filled)} />
        </>
      )}
    </FormDialog>
  )
}

/** A template may leave at any time, and one of marketing only to those who want it. */
const leadOf = ({ contact }: Conversation): string =>
  contact.optedOut
    ? 'They opted out of marketing: choose a template of another category.'
    : 'A template may be sent at any time.'

/** The customer's first name where a name is asked for, else the template's own example. */
function suggestion(template: Template | undefined, name: string, { contact }: Conversation): string {
  const first = contact.name.trim().split(/\s+/)[0] ?? ''
  return /name/.test(name) ? first : (template?.examples[name] ?? '')
}
