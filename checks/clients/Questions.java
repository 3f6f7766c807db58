import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.api.PositionsApi;
import org.openapitools.client.model.Batch;
import org.openapitools.client.model.PlayedGame;
import org.openapitools.client.model.Problem;

/** Asks a server ten questions with a generated client (argument: its URL) and prints an answer a line. */
public class Questions {
    private static void say(Object... words) {
        System.out.println(java.util.Arrays.stream(words).map(Questions::word).collect(Collectors.joining(" ")));
    }

    private static String word(Object value) {
        return value instanceof Boolean truth ? (truth ? "True" : "False") : String.valueOf(value);
    }

    public static void main(String[] arguments) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(arguments[0].replaceAll("/$", ""));
        var about = new GamesApi(client);
        var positions = new PositionsApi(client);
        var small = "touchdown:3x3";

        Map<String, Boolean> known = about.games().getGames().stream()
            .collect(Collectors.toMap(one -> one.getAbout().getGame(), one -> one.getTable()));
        say("games", known.get(small), known.get("tactics:6x6"));
        say("game", about.game("touchdown:6x6").getAbout().getPositions().getActualInstance());
        say("rules", about.rules("tactics:3x3").getExamples().size());
        var numbers = about.stats(small);
        var start = numbers.getStart();
        say("stats", numbers.getPositions().getActualInstance(), start.getOutcome().getValue(), start.getTurns());
        var probe = positions.position(small, null, null, null, null, null, 2L);
        var next = probe.getPage().getNext();
        say("position", probe.getOutcome().getValue(), probe.getTurns(), probe.getTurnsAvailable().get(0).getTurn(), next);
        var inner = positions.positionInPath("tactics:3x3", "XX_/___/___", null, null, null, null, null);
        say("path", inner.getSource().getValue(), inner.getTurns());
        var some = positions.batch(small, new Batch().positions(List.of("OOO/.../XXX", "?"))).getAnswers();
        say("batch", some.get(0).getAnswer().getOutcome().getValue(), some.get(1).getProblem().getType());
        var best = positions.line(small, null, null, 3L);
        say("line", best.getLine().size(), best.getEnds().getValue());
        var played = positions.annotate(small, new PlayedGame().turns(List.of("b1b2", "a1b2"))).getTurns();
        say("annotate", played.size(), played.get(0).getTurn());
        try {
            positions.position("chess", null, null, null, null, null, null);
        } catch (ApiException refused) {
            var problem = client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
            say("refused", refused.getCode(), problem.getType());
        }
    }
}
