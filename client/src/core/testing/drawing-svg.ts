/** An SVG that uses everything drawings may have, in a space of 100 by 80. */
export const DRAWING_SVG = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="50mm" height="40mm" viewBox="0 0 100 80">
<style>.line{fill:none;stroke:#1d3557;stroke-width:3} #disc{fill:#e9c46a}</style>
<defs>
<linearGradient id="sky"><stop offset="0" stop-color="#457b9d"/><stop offset="1" style="stop-color:#e63946;stop-opacity:.6"/></linearGradient>
<linearGradient id="tilted" xlink:href="#sky" gradientUnits="userSpaceOnUse" x1="60" y1="0" x2="90" y2="30" gradientTransform="rotate(10)"/>
<radialGradient id="glow" cx=".5" cy=".5" r=".5"><stop offset=".2" stop-color="gold"/><stop offset="1" stop-color="teal"/></radialGradient>
<clipPath id="window"><circle cx="20" cy="60" r="15"/></clipPath>
<g id="leaf"><path d="M0 0c5-8 15-8 20 0c-5 8-15 8-20 0z"/></g>
<symbol id="star" viewBox="0 0 10 10"><path d="M5 0 6.5 3.5 10 4 7.4 6.6 8 10 5 8.3 2 10 2.6 6.6 0 4 3.5 3.5z"/></symbol>
</defs>
<rect x="2" y="2" width="40" height="26" rx="8" ry="4" fill="url(#sky)"/>
<path d="M60 4h28v24H60zM66 10h16v12H66z" fill="url(#tilted)" fill-rule="evenodd"/>
<circle id="disc" cx="50" cy="16" r="7"/>
<ellipse cx="50" cy="45" rx="14" ry="8" fill="url(#glow)" transform="rotate(-15 50 45)"/>
<g clip-path="url(#window)" opacity=".7"><rect y="40" width="30" height="40" fill="#2a9d8f"/><rect x="14" y="40" width="30" height="25" fill="#264653"/></g>
<use xlink:href="#leaf" x="40" y="70" fill="#606c38"/>
<use xlink:href="#star" x="66" y="55" width="20" height="20" style="fill:#9b2226"/>
<polyline class="line" points="66,36 76,46 86,36 96,46" stroke-linejoin="round" stroke-linecap="round"/>
<path class="line" d="M4 34h34" stroke-dasharray="6 2 1" stroke-dashoffset="2" style="stroke:currentColor" color="#bc6c25"/>
<path d="M90 60a6 9 20 1 0 1 1zq4 10-6 14t-8 2" fill="#ccd5ae" stroke="#283618" stroke-width="1.5" paint-order="stroke"/>
<g display="none"><rect width="100" height="80" fill="red"/></g>
</svg>`;
