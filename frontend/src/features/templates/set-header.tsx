import { cardMediaSchema } from '@parley/contracts/templates/template-cards'
import { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { type HeaderMedia, headerMediaSchema } from '@parley/contracts/templates/template-headers'
import type { Template } from '@parley/contracts/templates/templates'
import { missingMedia } from '@parley/contracts/templates/unsendable'
import { useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { HeaderMediaPreview, headerNames } from '../../ui/header-media.tsx'
import { toast } from '../../ui/toast.ts'
import { useSetHeader } from './api.ts'
import { HeaderInput } from './header-input.tsx'

/** Chooses what is sent above the text of a template, or on its cards, from now on. WhatsApp does not review it again. */
export function SetHeader({ open, template, onClose }: { open: boolean; template: Template; onClose: () => void }) {
  const { id, name, version, headerMedia, cards } = template
  const [values, setValues] = useState<HeaderMedia[]>(
    cards?.map((card) => card.headerMedia) ?? (headerMedia ? [headerMedia] : []),
  )
  const [tried, setTried] = useState(false)
  const { mutate, isPending } = useSetHeader()
  const [first] = values
  if (!first) return null
  const submit = () => {
    setTried(true)
    if (values.some((value) => Object.keys(problemsOf(value)).length > 0)) return
    const media = cards
      ? { cards: values.map((value) => cardMediaSchema.parse(value)) }
      : { headerMedia: headerMediaSchema.parse(first) }
    mutate(
      { id, version, ...media },
      {
        onSuccess: () => {
          toast.success(`${name} is sent with ${cards ? 'them' : 'it'} from now on`)
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
      title={`Set ${cards ? 'Files of Cards' : headerNames[first.kind]} of ${name}`}
      lead={
        cards
          ? 'They appear on the cards of every message sent from now on.'
          : 'It appears above the text of every message sent from now on.'
      }
      submitLabel="Save"
      pending={isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card has no identity but its place.
        <section key={index} aria-label={cards ? `Card ${index + 1}` : 'Header'}>
          {cards && <h3>Card {index + 1}</h3>}
          <HeaderInput
            value={value}
            errors={tried ? problemsOf(value) : {}}
            of={cards ? `card ${index + 1}` : undefined}
            // Two files may be under way at once.
            onChange={(to) => setValues((now) => now.map((other, place) => (place === index ? to : other)))}
          />
          <HeaderMediaPreview headerMedia={value} />
        </section>
      ))}
    </FormDialog>
  )
}

/** Returns what is wrong with a header by the path within it, as `HeaderInput` shows it; under `''` where it is missing. */
function problemsOf(headerMedia: HeaderMedia): Readonly<Record<string, string>> {
  const missing = missingMedia({ headerMedia })
  if (missing !== undefined) return { '': missing }
  const { error } = headerMediaSchema.safeParse(headerMedia)
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [])
}
