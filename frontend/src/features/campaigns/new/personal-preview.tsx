import SendOutlined from '@ant-design/icons/SendOutlined'
import { isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import type { Template } from '@parley/contracts/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { lazy, Suspense, useId, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { counted } from '../../../lib/format.ts'
import { previewedTemplate } from '../../../lib/previewed-template.ts'
import { useUser } from '../../../lib/user.ts'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import { toast } from '../../../ui/toast.ts'
import { exampleContacts } from '../choices.ts'
import { type Draft, recipientFileOf } from './draft.ts'
import { audienceOf, sourceOf } from './draft-fields.ts'
import styles from './new-broadcast.module.css'
import { PreviewedFile, previewedHeader } from './previewed-file.tsx'
import { valueFor } from './variables.ts'

/** Opens behind a press: the dialog is no part of the first load. */
const SendTest = lazy(async () => ({ default: (await import('../../../ui/send-test.tsx')).SendTest }))

const noTemplate = { body: '', buttons: [] }

/** The message as one contact of the audience will read it, and a test of it to a few chosen ones. */
export function PersonalPreview({
  template,
  canTest = false,
}: {
  template: Template | undefined
  /** Set where a test may be sent. */
  canTest?: boolean
}) {
  const draft = useFormContext<Draft>().watch()
  const { data: contacts = [] } = useQuery(exampleContacts(audienceOf(draft)))
  const id = useId()
  const [chosen, setChosen] = useState<string>()
  const workspace = useUser().data?.workspaceName
  const [testing, setTesting] = useState<'open' | 'closed'>()
  const mayNotSend = useIsRefused('conversations:write')
  const contact = contacts.find((other) => other.id === chosen) ?? contacts[0]
  const values = Object.fromEntries(
    (template ? templatePlaceholders(template) : []).map((key) => {
      const source = sourceOf(draft.variables[key])
      return [key, contact ? valueFor(source, contact) : source.kind === 'text' ? source.text : source.fallback]
    }),
  )
  const kind = template?.headerMedia?.kind
  const file = recipientFileOf(draft, isFileHeader(kind) ? kind : undefined)
  return (
    <aside className={styles['preview']} aria-label="Preview">
      {contact && (
        <div className={styles['previewAs']}>
          <label htmlFor={id}>Preview as</label>
          <Select
            id={id}
            value={contact.id}
            onChange={setChosen}
            options={contacts.map((other) => ({ value: other.id, label: other.name }))}
          />
        </div>
      )}
      <MessagePreview
        sender={workspace || 'Your business'}
        empty="Choose a template to see it here."
        message={{
          ...previewedTemplate(template ?? noTemplate, values),
          ...(file && { headerMedia: previewedHeader(template?.headerMedia, file, contact) }),
        }}
      />
      {file && contact && <PreviewedFile file={file} contact={contact} />}
      {canTest && template && !mayNotSend && (
        <Button icon={<SendOutlined aria-hidden />} onClick={() => setTesting('open')}>
          Send a test
        </Button>
      )}
      {testing && template && (
        <Suspense>
          <SendTest
            // Another person's values fill it anew.
            key={contact?.id}
            open={testing === 'open'}
            template={template}
            values={values}
            numberId={draft.numberId || undefined}
            ownFiles={file !== undefined}
            onSent={(ids) =>
              toast.success(`Test sent to ${counted(ids.length, 'contact')}. Its status is in the inbox.`)
            }
            onClose={() => setTesting('closed')}
          />
        </Suspense>
      )}
    </aside>
  )
}
