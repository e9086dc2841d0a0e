import UploadOutlined from '@ant-design/icons/UploadOutlined'
import {
  type HeaderFile,
  type HeaderFileKind,
  type HeaderMedia,
  type HeaderPlace,
  type HeaderProduct,
  headerFileProblem,
  headerFiles,
} from '@parley/contracts/templates/template-headers'
import { Button, Input, InputNumber } from 'antd'
import { useId, useRef } from 'react'
import { useUpload } from '../../lib/use-upload.ts'
import styles from './header-input.module.css'

const choose = { image: 'Choose a picture', video: 'Choose a video', document: 'Choose a PDF' } as const

/** Gives a header its file, place or product. @param errors by the path within the header: `place.name`. */
export function HeaderInput({
  value,
  errors,
  of,
  onChange,
}: {
  value: HeaderMedia
  errors: Readonly<Record<string, string | undefined>>
  /** Card that it stands on; absent above the message. */
  of?: string | undefined
  onChange: (value: HeaderMedia) => void
}) {
  if (value.kind === 'product')
    return (
      <ProductInput
        product={value.product}
        errors={errors}
        onChange={(product) => onChange({ kind: 'product', product })}
      />
    )
  return value.kind === 'location' ? (
    <PlaceInput
      location={value.place}
      errors={errors}
      onChange={(location) => onChange({ kind: 'location', place: location })}
    />
  ) : (
    <FileInput
      key={value.kind}
      kind={value.kind}
      file={value.file}
      of={of}
      error={errors['']}
      onChange={(file) => onChange({ kind: value.kind, file })}
    />
  )
}

function FileInput({
  kind,
  file,
  of,
  error,
  onChange,
}: {
  kind: HeaderFileKind
  file: HeaderFile | undefined
  of: string | undefined
  error: string | undefined
  onChange: (file: HeaderFile) => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { share, failure, start, refuse } = useUpload()
  // A file that is on its way is not missing.
  const problem = failure ?? (share === undefined ? error : undefined)

  async function take(chosen: File): Promise<void> {
    const local = headerFileProblem({ kind, file: { mimeType: chosen.type, sizeBytes: chosen.size } })
    if (local !== undefined) return refuse(local)
    await start(async (send) => {
      const { id: mediaId, mimeType, sizeBytes } = await send(chosen, kind)
      onChange({ mediaId, name: chosen.name, mimeType, sizeBytes })
      return undefined
    })
  }

  return (
    <div className={styles['file']}>
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        accept={headerFiles[kind].types.join()}
        aria-label={of === undefined ? choose[kind] : `${choose[kind]} for ${of}`}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen) void take(chosen)
          target.value = ''
        }}
      />
      <Button
        icon={<UploadOutlined aria-hidden />}
        loading={share !== undefined}
        aria-describedby={problem ? `${id}-problem` : `${id}-hint`}
        onClick={() => input.current?.click()}
      >
        {share !== undefined ? `Uploading, ${Math.round(share * 100)} %` : file ? 'Replace the file' : choose[kind]}
      </Button>
      {file && (
        <span className={styles['name']} dir="auto">
          {file.name}
        </span>
      )}
      <p id={`${id}-hint`} className={styles['hint']}>
        {headerFiles[kind].words}.
      </p>
      {problem && (
        <p id={`${id}-problem`} className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Edits the two ids by which WhatsApp finds a product. */
function ProductInput({
  product = { id: '', catalogId: '' },
  errors,
  onChange,
}: {
  product: HeaderProduct | undefined
  errors: Readonly<Record<string, string | undefined>>
  onChange: (product: HeaderProduct) => void
}) {
  const id = useId()
  const texts = [
    {
      name: 'id',
      label: 'Product (content ID)',
      hint: 'In Meta Commerce Manager under your catalogue’s items. One variable, such as {{product}}, shows each contact another one.',
    },
    { name: 'catalogId', label: 'Catalogue ID', hint: 'In Meta Commerce Manager under your catalogue’s settings.' },
  ] as const
  return (
    <div className={styles['place']}>
      {texts.map(({ name, label, hint }) => {
        const problem = errors[`product.${name}`]
        return (
          <div key={name} className={styles['field']}>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <Input
              id={`${id}-${name}`}
              {...(problem && { status: 'error' as const })}
              aria-describedby={`${id}-${name}-${problem ? 'problem' : 'hint'}`}
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              value={product[name]}
              onChange={({ target }) => onChange({ ...product, [name]: target.value })}
            />
            <p id={`${id}-${name}-hint`} className={styles['hint']}>
              {hint}
            </p>
            {problem && (
              <p id={`${id}-${name}-problem`} className={styles['problem']}>
                {problem}
              </p>
            )}
          </div>
        )
      })}
      {errors[''] && <p className={styles['problem']}>{errors['']}</p>}
    </div>
  )
}

const empty = { name: '', address: '' }
/** Numbers are absent until they are typed. */
type Typed = Partial<HeaderPlace> & typeof empty

function PlaceInput({
  location,
  errors,
  onChange,
}: {
  location: HeaderPlace | undefined
  errors: Readonly<Record<string, string | undefined>>
  onChange: (location: HeaderPlace) => void
}) {
  const id = useId()
  const typed: Typed = location ?? empty
  // An incomplete place is checked when the form is sent.
  const change = (part: Partial<HeaderPlace>) => onChange({ ...typed, ...part } as HeaderPlace)
  const texts = [
    { name: 'name', label: 'Name of the place', max: 200 },
    { name: 'address', label: 'Address', max: 300 },
  ] as const
  const numbers = [
    { name: 'latitude', label: 'Latitude', most: 90 },
    { name: 'longitude', label: 'Longitude', most: 180 },
  ] as const
  const problemOf = (name: string) => errors[`place.${name}`]
  const described = (name: string) => ({
    id: `${id}-${name}`,
    ...(problemOf(name) && { status: 'error' as const, 'aria-describedby': `${id}-${name}-problem` }),
  })
  const problem = (name: string) =>
    problemOf(name) && (
      <p id={`${id}-${name}-problem`} className={styles['problem']}>
        {problemOf(name)}
      </p>
    )
  return (
    <div className={styles['place']}>
      {texts.map(({ name, label, max }) => (
        <div key={name} className={styles['field']}>
          <label htmlFor={`${id}-${name}`}>{label}</label>
          <Input
            {...described(name)}
            dir="auto"
            maxLength={max}
            value={typed[name]}
            onChange={({ target }) => change({ [name]: target.value })}
          />
          {problem(name)}
        </div>
      ))}
      {numbers.map(({ name, label, most }) => (
        <div key={name} className={styles['field']}>
          <label htmlFor={`${id}-${name}`}>{label}</label>
          <InputNumber<number>
            {...described(name)}
            min={-most}
            max={most}
            controls={false}
            className={styles['number'] ?? ''}
            value={typed[name] ?? null}
            onChange={(value) => change({ [name]: value ?? undefined })}
          />
          {problem(name)}
        </div>
      ))}
      {errors[''] && <p className={styles['problem']}>{errors['']}</p>}
    </div>
  )
}
