import { cardMediaSchema } from '@parley/contracts/templates/template-cards'
import { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { type HeaderMedia, headerMediaSchema } from '@parley/contracts/templates/template-headers'
import { newProductProblem } from '@parley/contracts/templates/template-problems'
import type { Template } from '@parley/contracts/templates/templates'
import { missingMedia } from '@parley/contracts/templates/unsendable'
import { useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { UploadsOfForm, useUploadsOfForm } from '../../lib/use-upload.ts'
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
  /** A product's variable is told while it is written, all else after an attempt. */
  const problemsShown = (value: HeaderMedia) => {
    const { 'product.id': product, ...others } = problemsOf(value, headerMedia)
    const isWritten = value.kind === 'product' && value.product?.id.includes('{')
    return { ...(tried && others), ...(product !== undefined && (tried || isWritten) && { 'product.id': product }) }
  }
  const save = () => {
    if (values.some((value) => Object.keys(problemsOf(value, headerMedia)).length > 0)) return
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
  const uploads = useUploadsOfForm({ save: () => open && save() })
  const submit = () => {
    setTried(true)
    uploads.whenUploaded('save')
  }
  if (!first) return null
  return (
    <FormDialog
      open={open}
      title={`Set ${cards ? 'Files of Cards' : headerNames[first.kind]} of ${name}`}
      lead={
        cards
          ? 'They appear on the cards of every message sent from now on.'
          : 'It appears above the text of every message sent from now on.'
      }
      submitLabel={uploads.isWaiting ? 'Waiting for the file' : 'Save'}
      submitDisabled={uploads.isWaiting}
      pending={isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <UploadsOfForm value={uploads.track}>
        {values.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a card has no identity but its place.
          <section key={index} aria-label={cards ? `Card ${index + 1}` : 'Header'}>
            {cards && <h3>Card {index + 1}</h3>}
            <HeaderInput
              value={value}
              errors={uploads.isWaiting ? {} : problemsShown(value)}
              of={cards ? `card ${index + 1}` : undefined}
              // Two files may be under way at once.
              onChange={(to) => setValues((now) => now.map((other, place) => (place === index ? to : other)))}
            />
            <HeaderMediaPreview headerMedia={value} />
          </section>
        ))}
      </UploadsOfForm>
    </FormDialog>
  )
}

/** Returns what is wrong with a header by the path within it, as `HeaderInput` shows it; under `''` where it is missing. */
function problemsOf(headerMedia: HeaderMedia, before: HeaderMedia | undefined): Readonly<Record<string, string>> {
  const missing = missingMedia({ headerMedia })
  if (missing !== undefined) return { '': missing }
  const { error } = headerMediaSchema.safeParse(headerMedia)
  const product =
    headerMedia.kind === 'product'
      ? newProductProblem(before?.kind === 'product' ? before : undefined, headerMedia)
      : undefined
  return {
    ...(product && { 'product.id': product.message }),
    ...Object.fromEntries(error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []),
  }
}
