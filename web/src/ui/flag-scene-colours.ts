export interface SceneColours {
  skyTop: string
  skyLow: string
  glow: string
  orb: string
  craters: string
  stars: string
  cloth: string
  clothNear: string
  clothFar: string
  pole: string
  far: string
  mid: string
  near: string
}

export const noon: SceneColours = {
  skyTop: '#C0E5FC',
  skyLow: '#E2F3FE',
  glow: 'rgb(255 255 255 / 0.38)',
  orb: '#FFFFFF',
  craters: 'transparent',
  stars: 'transparent',
  cloth: '#FFFFFF',
  clothNear: '#005A94',
  clothFar: '#006BAC',
  pole: '#0B2239',
  far: '#B3DFFB',
  mid: '#99D5F9',
  near: '#7DC8F5',
}

export const dusk: SceneColours = {
  skyTop: '#0A1B2E',
  skyLow: '#24567E',
  glow: 'rgb(189 227 251 / 0.10)',
  orb: '#DCEEFA',
  craters: '#C3DDEF',
  stars: '#CFE6F7',
  cloth: '#BDE3FB',
  clothNear: '#1F7DBB',
  clothFar: '#2B8FD0',
  pole: '#EAF3FA',
  far: '#1D4A6E',
  mid: '#163C5B',
  near: '#102E48',
}
