"""Stop words: words of grammar, too common to find anything by.

For the languages met most often the lists are ours and short: articles, pronouns, prepositions, conjunctions, forms of
*be*, *have*, *do* and modal verbs; no noun, no verb of meaning. For others they are those of stopwordsiso, whose long
lists also hold words of meaning: of a list with more than 200 words only those of up to four letters are taken, since
words of grammar are the short ones. Languages written without blanks have none: their pairs of characters are no words.
"""

from functools import lru_cache

import stopwordsiso

from opilio.search.analysis.splitting import words

_WHOLE_UP_TO = 200  # words of a list that is taken whole
_SHORT = 4  # letters of a word of grammar in a longer list
_NONE = frozenset({"zh", "ja", "ko", "th"})

_OURS = {
    "en": """
        a an the and or but nor so yet if then than that this these those as at by for from in into of off on onto out
        over to up upon with without within about above across after against along among around before behind below
        beneath beside between beyond down during except inside near outside per since through throughout toward towards
        under until till via i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
        himself she her hers herself it its itself they them their theirs themselves who whom whose which what when
        where why how whether while because although though unless is am are was were be been being has have had having
        do does did doing done can could may might must shall should will would cannot not no any some each every both
        either neither such only own same too very just also there here again further once all few more most other
        another ought isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't shan't
        shouldn't can't couldn't mustn't mightn't i'm i've i'd i'll you're you've you'd you'll he's he'd he'll she's
        she'd she'll it's it'd it'll we're we've we'd we'll they're they've they'd they'll that's that'll there's
        here's what's who's where's how's let's""",
    "de": """
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines und oder aber
        denn doch sondern ob wenn weil dass als wie damit während obwohl an am ans auf aus bei beim bis durch für gegen
        hinter in im ins mit nach neben ohne seit über um unter von vom vor wegen zu zum zur zwischen ich mich mir mein
        meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner deines er ihn ihm sein seine
        seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere unseren unserem unserer
        unseres euch euer eure euren eurem eurer ihnen sich man wer wen wem wessen was wann wo warum welche welcher
        welchen welchem welches dieser diese diesen diesem dieses jener jene jenen jenem jenes jeder jede jeden jedem
        jedes alle allem allen aller alles selbst bin bist ist sind seid war warst waren wart gewesen habe hast hat
        haben habt hatte hattest hatten hattet gehabt werde wirst wird werden werdet wurde wurden worden würde würden
        kann kannst können konnte konnten muss müssen musste mussten soll sollen sollte sollten will wollen wollte
        wollten darf dürfen mag nicht nur noch nun auch so da dann dort hier sehr schon etwa etwas nichts zwar sonst
        also indem hin her""",
    "fr": """
        le la les l un une des du de d au aux et ou mais donc or ni car si que qu quand comme lorsque puisque quoique à
        dans en par pour sans sous sur avec chez contre depuis dès entre hors jusque pendant vers je j me m moi mon ma
        mes tu te t toi ton ta tes il ils elle elles lui leur leurs se s soi son sa ses on nous notre nos vous votre
        vos ce c cet cette ces ceci cela ça celui celle ceux celles y qui quoi dont où quel quelle quels quelles lequel
        laquelle lesquels lesquelles suis es est sommes êtes sont étais était étions étiez étaient fus fut furent serai
        seras sera serons serez seront serait seraient soit soient été étant ai as a avons avez ont avais avait avions
        aviez avaient eu eut eurent aurai aura aurons aurez auront aurait auraient ait aient ayant ne n pas plus non
        aussi très même mêmes ici là tout toute tous toutes aucun aucune chaque autre autres""",
    "es": """
        el la los las un una unos unas lo al del y e o u ni pero sino que si porque pues aunque como cuando mientras
        donde a ante bajo con contra de desde durante en entre hacia hasta para por según sin sobre tras yo me mí mi
        mis mío mía tú te ti tu tus él ella ello ellos ellas le les se sí su sus nosotros nosotras nos nuestro nuestra
        nuestros nuestras vosotros vosotras os vuestro vuestra vuestros vuestras usted ustedes quien quienes cual
        cuales qué quién cuál cuándo dónde cómo este esta estos estas esto ese esa esos esas eso aquel aquella aquellos
        aquellas aquello soy eres es somos sois son era eras éramos eran fui fue fuimos fueron será serán sería serían
        sea sean siendo sido estoy está estamos están estaba estaban estar he has ha hemos han había habían hay haber
        habrá haya hayan no ni también muy más menos ya todo toda todos todas otro otra otros otras cada algún alguna
        algunos algunas ningún ninguna tan tanto""",
    "it": """
        il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle dell al allo alla
        ai agli alle all dal dallo dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui
        sugli sulle sull col coi e ed o od ma se che chi cui né perché come quando mentre anche dove dov c d io me mi
        mio mia miei mie tu te ti tuo tua tuoi tue lui lei egli ella esso essa loro noi ci nostro nostra nostri nostre
        voi vi vostro vostra vostri vostre si sé suo sua suoi sue ne quale quali questo questa questi queste quest
        quello quella quelli quelle quell quel quei quegli sono sei è siamo siete era eri erano fu furono sarà saranno
        sarebbe sia siano stato stata stati state essere essendo ho hai ha abbiamo avete hanno aveva avevano avrà abbia
        abbiano avere avendo avuto non più molto tutto tutta tutti tutte altro altra altri altre ogni""",
    "pt": """
        o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas para com sem sob
        sobre entre até após ante desde contra e ou mas nem que se porque pois como quando enquanto onde embora ao aos
        à às eu me mim meu minha meus minhas tu te ti teu tua teus tuas ele ela eles elas lhe lhes si seu sua seus suas
        nós nosso nossa nossos nossas vós vos você vocês dele dela deles delas este esta estes estas isto esse essa
        esses essas isso aquele aquela aqueles aquelas aquilo quem qual quais cujo cuja neste nesta nesse nessa deste
        desta desse dessa sou és é somos são era eram fui foi foram será serão seria seriam seja sejam sendo sido ser
        estou está estamos estão estava estavam estar tenho tem temos têm tinha tinham ter há havia haver não também
        muito mais menos já só todo toda todos todas outro outra outros outras cada algum alguma alguns algumas""",
    "nl": """
        de het een der des en of maar want dus noch dat die dit deze als dan toen omdat hoewel terwijl of aan af bij
        binnen boven buiten door in langs met na naar naast om onder op over per sinds te ten ter tegen tot tussen uit
        van vanaf via voor zonder ik me mij mijn je jij jou jouw u uw hij hem zijn zij ze haar het wij we ons onze
        jullie hen hun zich zelf wie wat welke welk waar wanneer waarom hoe er daar hier ben bent is zijn was waren
        geweest heb hebt heeft hebben had hadden gehad word wordt worden werd werden geworden zal zult zullen zou
        zouden kan kunt kunnen kon konden moet moeten moest mag mogen wil willen niet geen ook nog al reeds zo zeer
        veel meer meest alle alles ieder iedere elk elke ander andere anderen iets niets""",
    "ru": """
        и а но или да ни что чтобы как когда если то же ли бы ведь хотя потому также тоже в во на с со к ко у о об обо
        от до для за из изо над надо под подо по при про через без между перед около я меня мне мной мой моя мое мои
        моего моей моих ты тебя тебе тобой твой твоя твое твои он его ему им нем него нему ним она ее ей ею нее ней оно
        мы нас нам нами наш наша наше наши вы вас вам вами ваш ваша ваше ваши они их ими них ним ними себя себе собой
        свой своя свое свои своего своей своих кто кого кому кем ком чего чему чем чём который которая которое которые
        которого которой которых которым где куда откуда почему это этот эта эти этого этой этих этому этим тот та те
        того той тех тому тем там тут здесь так такой такая такое такие есть был была было были быть будет будут буду не
        нет уже еще ещё её моё твоё своё лишь только весь вся все всё всего всей всех всем очень более""",
    "pl": """
        i a oraz lub albo ale lecz ani że żeby aby by bo gdyż ponieważ jak jako jeśli jeżeli gdy kiedy niż czy więc w we
        na z ze do od ode o u po pod nad przed przy przez dla bez za między ku poza ja mnie mi mną mój moja moje moi
        mojego mojej moich ty ciebie cię ci tobie tobą twój twoja twoje on jego go jemu mu niego nim ona jej ją niej nią
        ono my nas nam nami nasz nasza nasze wy was wam wami wasz wasza wasze oni one ich im nich nimi się siebie sobie
        sobą swój swoja swoje kto kogo komu kim co czego czemu czym który która które którzy którego której których
        którym gdzie skąd dlaczego ten ta to ci te tego tej tych temu tym tą tę tamten tamta tamto jest są był była było
        byli były być będzie będą będę nie tak też także już jeszcze tylko bardzo więcej wszystko wszyscy wszystkie
        każdy każda każde inny inna inne""",
    "sv": """
        en ett den det de dem och eller men utan för att som om när då så än därför medan fast i på av till från med vid
        under över mellan genom efter före inom utom mot hos kring jag mig min mitt mina du dig din ditt dina han honom
        hans hon henne hennes vi oss vår vårt våra ni er ert era man sig sin sitt sina deras vem vilken vilket vilka vad
        var vart varför hur denna detta dessa här där är var vara varit blir bli blev blivit har hade ha haft ska skall
        skulle kan kunde må måste vill ville inte ej också bara mycket mer mest all allt alla annan annat andra någon
        något några ingen inget inga samma själv""",
}


@lru_cache(maxsize=256)
def stop_words(code: str) -> frozenset[str]:
    """The stop words of a language (by its code), folded; none for a language without a list."""
    if code in _OURS:
        return frozenset(words(_OURS[code]))
    if code in _NONE or not stopwordsiso.has_lang(code):
        return frozenset()
    found = {parts[0] for parts in map(words, stopwordsiso.stopwords(code)) if len(parts) == 1}
    return frozenset(found if len(found) <= _WHOLE_UP_TO else {word for word in found if len(word) <= _SHORT})
