/** Objects of an application's own. */

import { Events, equal, truthy } from '../check.mjs';

class City {
  constructor(name, people) {
    this.name = name;
    this.people = people;
  }
}

const converter = {
  toFirestore: ({ name, people }) => ({ title: name, people }),
  fromFirestore: (snapshot) => {
    const { title, people } = snapshot.data();
    return new City(title, people);
  },
};

const needs = ['converters'];

/** Asserts that the found are cities, and the expected ones. */
function areCities(found, expected) {
  truthy(
    found.every((one) => one instanceof City),
    'cities come back',
  );
  equal(
    found.map(({ name, people }) => [name, people]),
    expected,
  );
}

export const converters = [
  {
    name: 'an object goes in and comes out',
    needs,
    async run(driver, scope) {
      const path = `${scope.collection()}/delft`;
      const ref = driver.converted(path, converter);
      await ref.set(new City('Delft', 100));
      equal(await driver.get(path), { title: 'Delft', people: 100 });
      const city = await ref.get();
      truthy(city instanceof City, 'a City comes back');
      equal({ ...city }, { name: 'Delft', people: 100 });
    },
  },
  {
    name: 'a query finds objects',
    needs,
    async run(driver, scope) {
      const collection = scope.collection();
      await driver.converted(`${collection}/a`, converter).set(new City('Delft', 100));
      await driver.converted(`${collection}/b`, converter).set(new City('Essen', 580));
      const query = driver.convertedQuery(
        { collection, where: [['people', '>', 50]], orderBy: [['people', 'desc']] },
        converter,
      );
      areCities(await query.get(), [
        ['Essen', 580],
        ['Delft', 100],
      ]);
    },
  },
  {
    name: 'listeners are told objects',
    needs: [...needs, 'listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const writer = driver.another();
      try {
        const delft = driver.converted(`${collection}/a`, converter);
        const [one, all] = [new Events(), new Events()];
        const stops = [
          delft.listen(one),
          driver.convertedQuery({ collection, orderBy: [['people', 'asc']] }, converter).listen(all),
        ];
        equal(await one.next(), undefined);
        areCities(await all.next(), []);
        await writer.converted(`${collection}/a`, converter).set(new City('Delft', 100));
        areCities([await one.next()], [['Delft', 100]]);
        areCities(await all.next(), [['Delft', 100]]);
        for (const stop of stops) stop();
      } finally {
        await writer.close();
      }
    },
  },
  {
    name: 'a transaction reads and writes objects',
    needs,
    async run(driver, scope) {
      const path = `${scope.collection()}/delft`;
      const delft = driver.converted(path, converter);
      await delft.set(new City('Delft', 100));
      await delft.replace((city) => {
        areCities([city], [['Delft', 100]]);
        return new City(city.name, city.people + 1);
      });
      equal(await driver.get(path), { title: 'Delft', people: 101 });
    },
  },
];
