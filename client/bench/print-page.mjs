// The reference deck as a page of HTML and CSS, for the comparison with the browser's own print to PDF.
// The same parts as `core/testing/reference.ts`, laid out by CSS: photo, panel with shadow and gradient, art
// in rounded corners under a multiplied tint, fitted title with a blurred shadow, icons, justified text,
// turned text and badges.
export function printPage(rows, imageUrl) {
  const card = ({ cells }) => `
<div class="card" style="background-image:url(${imageUrl('Art/dusk.jpg')})">
  <div class="panel"></div>
  <img class="art" src="${imageUrl('Art/dusk.jpg')}"><div class="tint"></div>
  <div class="title">${cells.title}</div>
  <div class="cost">${[1, 2, 3].map((n) => (cells[`cost${n}`] ? `<img src="${imageUrl(cells[`cost${n}`])}">` : '')).join('')}</div>
  <div class="rules"><p>${cells.rules
    .replace(/\{[^}]*\}/g, `<img class="inline" src="${imageUrl('Icons/drop.png')}">`)
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\*([^*]+)\*/g, '<i>$1</i>')}</p></div>
  <div class="side">Tuckbox reference</div>
  <div class="badge" style="left:9mm;transform:rotate(-8deg)">${cells.value0}</div>
  <div class="badge" style="left:45mm;transform:rotate(8deg)">${cells.value1}</div>
</div>`;
  const sheets = [];
  for (let at = 0; at < rows.length; at += 9) {
    sheets.push(
      `<section>${rows
        .slice(at, at + 9)
        .map(card)
        .join('')}</section>`,
    );
  }
  return `<!doctype html><meta charset="utf-8"><style>
@page { size: 210mm 297mm; margin: 0 }
body { margin: 0 }
section { box-sizing: border-box; width: 210mm; height: 297mm; padding: 16.5mm 10.5mm; display: grid; grid-template-columns: repeat(3, 63mm); grid-auto-rows: 88mm; break-after: page }
.card { position: relative; width: 63mm; height: 88mm; overflow: hidden; background-size: cover }
.card > * { position: absolute; box-sizing: border-box }
.panel { left: 4mm; top: 4mm; width: 55mm; height: 80mm; border: .6mm solid #6b4f2a; border-radius: 3mm; background: linear-gradient(#fdf6e3f2, #eadfc4f2); box-shadow: 0 1mm 3mm #0009 }
.art, .tint { left: 8mm; top: 16mm; width: 47mm; height: 26mm; border-radius: 2mm; object-fit: cover }
.tint { background: #ffcc88; mix-blend-mode: multiply; opacity: .4 }
.title { left: 8mm; top: 6mm; width: 33mm; height: 8mm; font: 700 10pt/8mm serif; white-space: nowrap; overflow: hidden; text-shadow: .2mm .3mm .8mm #0006 }
.cost { left: 41mm; top: 7mm; width: 14mm; height: 6mm; display: flex; justify-content: end; align-items: center; gap: .6mm }
.cost img { height: 4.2mm } .inline { height: .9em }
.rules { left: 8mm; top: 44mm; width: 47mm; height: 34mm; display: flex; align-items: center; font: 7.5pt/1.2 serif; text-align: justify; overflow: hidden } .rules p { margin: 0 }
.side { left: -9.5mm; top: 44mm; width: 30mm; height: 3mm; transform: rotate(-90deg); font: 5pt sans-serif; text-align: center }
.badge { top: 76mm; width: 9mm; height: 9mm; border-radius: 50%; background: #8c2f39; color: #fff; font: 16pt/9mm sans-serif; text-align: center; -webkit-text-stroke: .3mm #2b0a0f }
</style>${sheets.join('')}`;
}
