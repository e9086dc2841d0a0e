import { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { type HeaderMedia, missingHeader } from '@parley/contracts/templates/template-headers'
import type { Template } from '@parley/contracts/templates/templates'
import { useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { HeaderMediaPreview } from '../../ui/header-media.tsx'
import { toast } from '../../ui/toast.ts'
import { useSetHeader } from './api.ts'
import { headerActions } from './header-actions.ts'
import { HeaderInput } from './header-input.tsx'

/** Chooses what is sent above the text of a template from now on. WhatsApp does not review it again. */
export function SetHeader({ open, template, onClose }: { open: boolean; template: Template; onClose: () => void }) {
  const [value, setValue] = useState<HeaderMedia | undefined>(template.headerMedia)
  const [tried, setTried] = useState(false)
  const { mutate, isPending } = useSetHeader()
  if (!value) return null
  const missing = missingHeader(value)
  const submit = () => {
    setTried(true)
    if (missing !== undefined) return
    mutate(
      { id: template.id, version: template.version, headerMedia: value },
      {
        onSuccess: () => {
          toast.success(`${template.name} is sent with it from now on`)
          onClose()
        },
        onError: (error) =>
          toast.error(
            staleRecord(error, templateCheckApi.header)
              ? 'Someone else has changed the template. Review it and try again.'
              : explain(error, 'It could not be saved. Try again.'),
          ),
      },
    )
  }
  return (
    <FormDialog
      open={open}
      title={`${headerActions[value.kind]} of ${template.name}`}
      lead="It appears above the text of every message sent from now on."
      submitLabel="Save"
      pending={isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <HeaderInput value={value} errors={{ '': tried ? missing : undefined }} onChange={setValue} />
      <HeaderMediaPreview headerMedia={value} />
    </FormDialog>
  )
}
