import { fillPlaceholders, templatePlaceholders } from '@parley/contracts/templates/placeholders'
import type { Template } from '@parley/contracts/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { shownButtons } from '../../../lib/shown-buttons.ts'
import { useUser } from '../../../lib/user.ts'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import { exampleContacts } from '../choices.ts'
import type { Draft } from './draft.ts'
import { audienceOf, sourceOf } from './draft-fields.ts'
import styles from './new-broadcast.module.css'
import { valueFor } from './variables.ts'

/** The message as one contact of the audience will read it. */
export function PersonalPreview({ template }: { template: Template | undefined }) {
  const draft = useFormContext<Draft>().watch()
  const { data: contacts = [] } = useQuery(exampleContacts(audienceOf(draft)))
  const id = useId()
  const [chosen, setChosen] = useState<string>()
  const workspace = useUser().data?.workspaceName
  const contact = contacts.find((other) => other.id === chosen) ?? contacts[0]
  const values = Object.fromEntries(
    (template ? templatePlaceholders(template) : []).map((key) => {
      const source = sourceOf(draft.variables[key])
      return [key, contact ? valueFor(source, contact) : source.kind === 'text' ? source.text : source.fallback]
    }),
  )
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
          header: template?.header && fillPlaceholders(template.header, values),
          headerMedia: template?.headerMedia,
          body: fillPlaceholders(template?.body ?? '', values),
          footer: template?.footer,
          buttons: template ? shownButtons(template) : [],
        }}
      />
    </aside>
  )
}
