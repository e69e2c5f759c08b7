export interface SceneColours {
  skyTop: string
  skyLow: string
  glow: string
  sunOrMoon: string
  craters: string
  stars: string
  cloth: string
  clothNear: string
  clothFar: string
  pole: string
  farHill: string
  middleHill: string
  nearHill: string
}

export const lightScene: SceneColours = {
  skyTop: '#C0E5FC',
  skyLow: '#E2F3FE',
  glow: 'rgb(255 255 255 / 0.38)',
  sunOrMoon: '#FFFFFF',
  craters: 'transparent',
  stars: 'transparent',
  cloth: '#FFFFFF',
  clothNear: '#005A94',
  clothFar: '#006BAC',
  pole: '#0B2239',
  farHill: '#B3DFFB',
  middleHill: '#99D5F9',
  nearHill: '#7DC8F5',
}

export const darkScene: SceneColours = {
  skyTop: '#0A1B2E',
  skyLow: '#24567E',
  glow: 'rgb(189 227 251 / 0.10)',
  sunOrMoon: '#DCEEFA',
  craters: '#C3DDEF',
  stars: '#CFE6F7',
  cloth: '#BDE3FB',
  clothNear: '#1F7DBB',
  clothFar: '#2B8FD0',
  pole: '#EAF3FA',
  farHill: '#1D4A6E',
  middleHill: '#163C5B',
  nearHill: '#102E48',
}
