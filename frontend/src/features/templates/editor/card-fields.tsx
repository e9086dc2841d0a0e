import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import { type Card, cardLimits, cardMediaSchema } from '@parley/contracts/templates/template-cards'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { Input } from 'antd'
import { get, useController, useFormContext } from 'react-hook-form'
import { IconButton } from '../../../ui/icon-button.tsx'
import { HeaderInput } from '../header-input.tsx'
import { ButtonPhone } from './buttons-field.tsx'
import cardStyles from './card-fields.module.css'
import { CharacterCount } from './character-count.tsx'
import styles from './editor.module.css'
import { TemplateField, useFinding } from './findings.tsx'
import type { TemplateFormValues } from './form-values.ts'

type CardButton = Card['buttons'][number]

export const cardButtonLabels = {
  quick_reply: 'Quick reply',
  url: 'Open website',
  phone: 'Call phone',
} as const satisfies Record<CardButton['kind'], string>

/** Edits one card: its picture or video, its text and its buttons. */
export function CardFields({
  index,
  buttons,
  onMedia,
  onRemove,
  onRemoveButton,
}: {
  index: number
  buttons: readonly Pick<CardButton, 'kind'>[]
  /** Sets its picture or video, once that is uploaded. */
  onMedia: (media: Card['headerMedia']) => void
  /** Absent where a carousel needs this card. */
  onRemove: (() => void) | undefined
  /** Removes a button of all cards, by its place. */
  onRemoveButton: (place: number) => void
}) {
  const { control, formState } = useFormContext<TemplateFormValues>()
  const { field } = useController({ control, name: `cards.${index}.headerMedia` })
  const mediaFinding = useFinding(`cards.${index}.headerMedia`)
  const buttonsFinding = useFinding(`cards.${index}.buttons`)
  const errorAt = (path: string): string | undefined => get(formState.errors, `cards.${index}.${path}.message`)
  const buttonsProblem = errorAt('buttons') ?? errorAt('buttons.root') ?? buttonsFinding
  const number = index + 1
  return (
    <fieldset className={cardStyles['cardFields']}>
      <legend>Card {number}</legend>
      {onRemove && (
        <IconButton label={`Remove card ${number}`} onClick={onRemove}>
          <DeleteOutlined aria-hidden />
        </IconButton>
      )}
      <HeaderInput
        // While the cards go, there is none.
        value={field.value ?? { kind: 'image' }}
        errors={{ '': errorAt('headerMedia') ?? mediaFinding }}
        of={`card ${number}`}
        onChange={(media) => onMedia(cardMediaSchema.parse(media))}
      />
      <TemplateField
        control={control}
        name={`cards.${index}.body`}
        label={`Text of card ${number}`}
        optional
        hint="On all cards, or on none. It can contain variables."
        aside={<CharacterCount name={`cards.${index}.body`} max={cardLimits.body} />}
      >
        {(input) => (
          <Input.TextArea {...input} value={input.value ?? ''} dir="auto" autoSize={{ minRows: 2, maxRows: 6 }} />
        )}
      </TemplateField>
      {buttons.map(({ kind }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button has no identity but its place.
        <div key={place} className={styles['button']}>
          <CardButtonFields card={index} place={place} kind={kind} />
          <IconButton
            label={`Remove button ${place + 1} of each card`}
            title={`Remove button ${place + 1} of each card`}
            onClick={() => onRemoveButton(place)}
          >
            <DeleteOutlined aria-hidden />
          </IconButton>
        </div>
      ))}
      {buttonsProblem && <p className={styles['problem']}>{buttonsProblem}</p>}
    </fieldset>
  )
}

function CardButtonFields({ card, place, kind }: { card: number; place: number; kind: CardButton['kind'] }) {
  const { control } = useFormContext<TemplateFormValues>()
  const of = `of card ${card + 1}`
  return (
    <div className={styles['buttonFields']}>
      <TemplateField
        control={control}
        name={`cards.${card}.buttons.${place}.text`}
        label={`${cardButtonLabels[kind]} text ${of}`}
        aside={<CharacterCount name={`cards.${card}.buttons.${place}.text`} max={templateLimits.buttonText} />}
      >
        {(field) => <Input {...field} dir="auto" autoComplete="off" />}
      </TemplateField>
      {kind === 'url' && (
        <TemplateField control={control} name={`cards.${card}.buttons.${place}.url`} label={`Web address ${of}`}>
          {(field) => (
            <Input {...field} inputMode="url" placeholder="https://example.com/tea/{{2}}" autoComplete="off" />
          )}
        </TemplateField>
      )}
      {kind === 'phone' && <ButtonPhone name={`cards.${card}.buttons.${place}.phone`} label={`Phone number ${of}`} />}
    </div>
  )
}
