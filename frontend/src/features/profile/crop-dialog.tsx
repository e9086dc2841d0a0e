import { Modal, Slider } from 'antd'
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import styles from './crop-dialog.module.css'
import type { Area } from './photo.ts'
import type { Picture } from './read-photo.ts'

const maxZoom = 4

/** Cuts a picture to a square: drag or arrow keys move it, wheel, pinch or the slider enlarge it. */
export function CropDialog({
  picture,
  onCrop,
  onCancel,
}: {
  picture: Picture
  onCrop: (area: Area) => void
  onCancel: () => void
}) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  return (
    <Modal
      open
      centered
      width={480}
      title="Crop photo"
      okText="Use photo"
      okButtonProps={{ disabled: !area }}
      onOk={() => area && onCrop(area)}
      onCancel={onCancel}
    >
      <div className={styles['stage']}>
        <Cropper
          image={picture.url}
          crop={crop}
          zoom={zoom}
          maxZoom={maxZoom}
          aspect={1}
          cropShape="round"
          showGrid={false}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
          cropperProps={{ 'aria-label': 'Part of the photo that is kept. Arrow keys move it.', role: 'application' }}
          mediaProps={{ alt: 'The photo you chose' }}
        />
      </div>
      <div className={styles['zoom']}>
        <span aria-hidden="true">Zoom</span>
        <Slider
          className={styles['slider'] ?? ''}
          min={1}
          max={maxZoom}
          step={0.05}
          value={zoom}
          onChange={setZoom}
          ariaLabelForHandle="Zoom"
          tooltip={{ open: false }}
        />
      </div>
    </Modal>
  )
}
